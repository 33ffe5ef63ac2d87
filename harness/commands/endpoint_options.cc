// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/endpoint_options.h"

#include "harness/runner.h"

namespace wirelaw {

void add_application_option(CLI::App& command, std::string& application, const char* description) {
  command.add_option("--application", application, description)
      ->type_name("echo|count|none")
      ->check(CLI::IsMember({"echo", "count", "none"}).description(""));
}

void add_deviate_option(CLI::App& command, std::vector<std::string>& deviations) {
  command
      .add_option("--deviate", deviations,
                  "Make the reference peer commit this fault; repeatable; `wirelaw serve PROTOCOL --list-deviations` "
                  "lists them")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

Application application_of(std::string_view word) {
  for (const Application application : {Application::none, Application::echo, Application::count})
    if (word_of(application) == word) return application;
  return Application::none;
}

}  // namespace wirelaw
