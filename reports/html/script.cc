// SPDX-License-Identifier: Apache-2.0
// The script of the pages filters, and expands failures for printing. Without it, the whole content is still visible.
#include "reports/html/page.h"

namespace wirelaw::html {

const std::string_view kScript = R"js(
'use strict';
const form = document.getElementById('filter');
if (form) {
  form.hidden = false;
  const rows = [...document.querySelectorAll('[data-v]')];
  const text = new Map();
  const said = document.getElementById('shown');
  const boxes = [...form.querySelectorAll('input[type=checkbox]')];
  const apply = () => {
    const wanted = new Set(boxes.filter(b => b.checked).map(b => b.value));
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(w => w);
    let shown = 0;
    for (const row of rows) {
      let hit = wanted.has(row.dataset.v);
      if (hit && words.length) {
        if (!text.has(row)) text.set(row, row.textContent.toLowerCase());
        hit = words.every(w => text.get(row).includes(w));
      }
      row.hidden = !hit;
      shown += hit;
    }
    for (const block of document.querySelectorAll('[data-block]'))
      block.hidden = !block.querySelector('[data-v]:not([hidden])');
    said.textContent = shown + ' of ' + rows.length + ' shown';
  };
  form.addEventListener('submit', e => e.preventDefault());
  form.addEventListener('input', apply);
  // A link may filter: report.html#?v=fail,warned&q=ack
  const asked = new URLSearchParams(location.hash.startsWith('#?') ? location.hash.slice(2) : '');
  if (asked.has('q')) form.elements.q.value = asked.get('q');
  if (asked.has('v')) for (const box of boxes) box.checked = asked.get('v').split(',').includes(box.value);
  apply();
}
const go = () => {
  const at = /^#[^?]/.test(location.hash) && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!at) return;
  for (let up = at; up; up = up.parentElement) { if (up.tagName === 'DETAILS') up.open = true; up.hidden = false; }
  at.scrollIntoView();
};
addEventListener('hashchange', go);
go();
const all = document.getElementById('print-all');
if (all) all.addEventListener('change', () => {
  for (const one of document.querySelectorAll('.more')) one.classList.toggle('wanted', all.checked);
});
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details[data-v=fail]:not([open])')];
  for (const one of opened) one.open = true;
});
addEventListener('afterprint', () => { for (const one of opened) one.open = false; });
)js";

}  // namespace wirelaw::html
