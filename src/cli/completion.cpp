// Completions for shells, made from the same lists as the program's own messages.
#include <fmt/format.h>

#include "base/embedded.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"

namespace vinculum {

std::span<const EmbeddedFile> example_files();

namespace cli {
namespace {

std::string examples() {
  std::string list;
  for (const EmbeddedFile& file : example_files())
    list += (list.empty() ? "" : " ") + std::string(file.name.substr(0, file.name.rfind('.')));
  return list;
}

std::string methods() {
  std::string list;
  for (const IntegratorInfo& i : integrators()) list += (list.empty() ? "" : " ") + i.name;
  return list;
}

constexpr const char* commands = "run explain check derive expand import new example completion man schema";
constexpr const char* common =
    "--set --json --quiet --assemble --until --tolerance --absolute-tolerance --integrator --step --closure "
    "--kernels --help";

std::string bash() {
  return fmt::format(R"(# Completions of vinculum for bash: source <(vinculum completion bash)
_vinculum() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$word"))
    return
  fi
  case $before in
    --integrator) COMPREPLY=($(compgen -W "{methods}" -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W "text latex c" -- "$word")); return ;;
    --kernels) COMPREPLY=($(compgen -W "native interpret" -- "$word")); return ;;
    --device) COMPREPLY=($(compgen -W "cpu gpu" -- "$word")); return ;;
    --road) COMPREPLY=($(compgen -W "automatic fast robust lagrange gauss" -- "$word")); return ;;
    --set|--until|--time|--tolerance|--absolute-tolerance|--step|--closure|--samples|--vary|--random|--columns|--keep|--count|--seed|--motions|--threads) return ;;
    --out|--table|--report|--picture|-o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case $command in
    example) [ "$COMP_CWORD" -eq 2 ] && {{ COMPREPLY=($(compgen -W "{examples} --help" -- "$word")); return; }} ;;
    expand) [[ $word == -* ]] && {{ COMPREPLY=($(compgen -W "--set --help" -- "$word")); return; }} ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
    new) COMPREPLY=($(compgen -f -W "--force --help" -- "$word")); return ;;
    import) COMPREPLY=($(compgen -W "--output --floating --quiet --help" -- "$word") $(compgen -f -- "$word")); return ;;
  esac
  if [[ $word == -* ]]; then
    local more=""
    case $command in
      run) more="--samples --out --report --picture --verify --no-verify" ;;
      sweep) more="--vary --random --table --columns --keep --samples --count --seed --sobol --out --report --motions --threads --device --resume" ;;
      explain) more="--time --road --try --family --weights" ;;
      derive) more="--format --off-constraints" ;;
    esac
    COMPREPLY=($(compgen -W "{common} $more" -- "$word"))
  else
    COMPREPLY=($(for end in toml urdf xml sdf; do compgen -f -X "!*.$end" -- "$word"; done) $(compgen -d -- "$word"))
  fi
}}
complete -o filenames -F _vinculum vinculum
)",
                     fmt::arg("commands", commands), fmt::arg("methods", methods()),
                     fmt::arg("examples", examples()), fmt::arg("common", common));
}

std::string zsh() {
  return fmt::format(R"zsh(#compdef vinculum
# Completions of vinculum for zsh: source <(vinculum completion zsh), after compinit
_vinculum() {{
  local -a shared=(
    '*--set[changes a parameter]:name=value:' '--json[one JSON object on standard output]'
    '--quiet[no summary, no progress]' '--assemble[move the start onto its constraints]' '--until[the time to reach]:time:' '--tolerance[the error asked for]:number:' '--absolute-tolerance[an error that does no harm]:number:'
    '--integrator[the method]:method:({methods})' '--step[the largest step]:number:' '--closure[how far loops may stay open]:number:' '--kernels[how they run]:road:(native interpret)' '--help[how it is used]'
    '1:model:_files -g "*.(toml|urdf|xml|sdf)"')
  if (( CURRENT == 2 )); then
    compadd -- {commands} --help --version
    return
  fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
    run) _arguments $shared '--samples[instants to record]:number:' '*--out[where to record them]:file:_files' \
           '--report[a page with replay and plots]:file:_files' '--picture[a small moving picture]:file:_files' \
           '--verify[compute it a second time and compare]' '--no-verify[leave that out]' ;;
    sweep) _arguments $shared '*--vary[values of a parameter or a start]:name=from\:to\:count:' '*--random[drawn for each member]:name=normal(mean,deviation):' \
             '--table[columns that vary together]:file:_files' '*--columns[those that vary]:names:' '*--keep[what is kept]:names:' '--samples[instants of NAME.samples]:number:' \
             '--count[how many draws]:number:' '--seed[others]:number:' '--sobol[evenly spread draws]' '--out[a line for each member]:file:_files' \
             '--report[a page]:file:_files' '--motions[how many it replays]:number:' '--threads[how many at once]:number:' '--device[who computes]:device:(cpu gpu)' '--resume[goes on]' ;;
    explain) _arguments $shared '--time[the instant]:time:' '--road[the way to it]:road:(automatic fast robust lagrange gauss)' '--try[numbers of your own]:numbers:' '--family[h of the multipliers]:numbers:' '--weights[of the multipliers]:numbers:' ;;
    derive) _arguments $shared '--format[of the text]:format:(text latex c)' '--off-constraints[equations that hold off the constraints, too]' ;;
    check) _arguments $shared ;;
    expand) _arguments '*--set[changes a parameter]:name=value:' '1:model:_files -g "*.toml"' ;;
    import) _arguments '--output[the model]:file:_files' '--floating[the root link moves freely]' '--quiet[nothing of what is left out]' '1:robot:_files -g "*.(urdf|xml|sdf)"' ;;
    new) _arguments '--force[replace a file]' '1:file:_files' ;;
    example) _arguments '--force[replace a file]' '1:example:({examples})' '2:file:_files' ;;
    completion) _arguments '1:shell:(bash zsh fish)' ;;
  esac
}}
# As a file of $fpath this is the function itself; sourced, it is made known.
if [ "$funcstack[1]" = "_vinculum" ]; then _vinculum "$@"; else compdef _vinculum vinculum; fi
)zsh",
                     fmt::arg("commands", commands), fmt::arg("methods", methods()),
                     fmt::arg("examples", examples()));
}

/// In single quotes of fish only these two are special.
std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "'";
}

/// What an option takes, as fish asks for it: -x without files, -r with.
std::string fish_values(const OptionInfo& option) {
  if (option.value.empty()) return "";
  if (option.name == "--integrator") return " -x -a " + fish_quoted(methods());
  if (option.name == "--format") return " -x -a 'text latex c'";
  if (option.name == "--kernels") return " -x -a 'native interpret'";
  if (option.name == "--road") return " -x -a 'automatic fast robust lagrange gauss'";
  const bool file = option.name == "--out" || option.name == "--report" || option.name == "--picture" ||
                    option.name == "--output";
  return file ? " -r -F" : " -x";
}

std::string fish(std::span<const CommandInfo> list) {
  std::string text =
      "# Completions of vinculum for fish: vinculum completion fish | source\ncomplete -c vinculum -f\n";
  for (const CommandInfo& command : list) {
    text += fmt::format("complete -c vinculum -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.text));
    const std::string within =
        fmt::format("complete -c vinculum -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionInfo& option : command.options) {
      if (option.name.starts_with("--"))
        text += fmt::format("{} -l {}{} -d {}\n", within, option.name.substr(2), fish_values(option),
                            fish_quoted(option.text));
      else if (option.name == "MODEL")
        text += within +
                " -k -a '(__fish_complete_suffix .toml)(__fish_complete_suffix .urdf)"
                "(__fish_complete_suffix .xml)(__fish_complete_suffix .sdf)'\n";
      else if (option.name == "FILE")
        text += within + " -F\n";
    }
    if (command.name == "example") text += within + " -a " + fish_quoted(examples()) + "\n";
    if (command.name == "completion") text += within + " -a 'bash zsh fish'\n";
  }
  return text;
}

}  // namespace

int completion(const std::string& shell, std::span<const CommandInfo> list) {
  if (shell != "bash" && shell != "zsh" && shell != "fish")
    fail("completions are there for bash, zsh and fish, not for '" + shell + "'");
  return print(shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish(list)) ? done : not_computed;
}

}  // namespace cli
}  // namespace vinculum
