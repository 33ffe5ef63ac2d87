// SPDX-License-Identifier: Apache-2.0
// Searches wirelawIndex, rows of [location, title, text], for pages that contain all words of the query. The index is
// a script and not fetched, so that the search works from file:// as well.
'use strict';
(() => {
  const kMost = 60;
  const query = (new URLSearchParams(location.search).get('q') || '').trim();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const count = document.getElementById('count');
  const list = document.getElementById('results');
  document.querySelector('header input').value = query;
  if (!words.length) {
    count.textContent = 'Type words or an id, such as RDMAP-4.8-2, above.';
    return;
  }
  const found = [];
  for (const [place, title, text] of wirelawIndex) {
    const low = title.toLowerCase();
    const all = low + ' ' + text.toLowerCase();
    if (!words.every((word) => all.includes(word))) continue;
    const rank = low === query.toLowerCase() ? 0 : words.every((word) => low.includes(word)) ? 1 : 2;
    found.push({rank, generated: place.startsWith('reference/') ? 1 : 0, place, title, text});
  }
  found.sort((a, b) => a.rank - b.rank || a.generated - b.generated);
  count.textContent = found.length === 0 ? `Nothing contains “${query}”.`
    : found.length > kMost ? `${found.length} places; the first ${kMost}:` : `${found.length} places:`;
  for (const {place, title, text} of found.slice(0, kMost)) {
    const item = list.appendChild(document.createElement('li'));
    const link = item.appendChild(document.createElement('a'));
    link.href = place;
    link.textContent = title;
    const named = title.toLowerCase().includes(words[0]);
    const at = named ? 0 : Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
    item.appendChild(document.createElement('p')).textContent =
      (at ? '… ' : '') + text.slice(at, at + 200) + (text.length > at + 200 ? ' …' : '');
  }
})();
