// The command line: arguments and exit codes. Nothing else in the project prints.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/version.hpp"

namespace vinculum::cli {
namespace {

constexpr const char* general_examples = R"(
Examples:
  vinculum new pendulum.toml                            a commented model to start from
  vinculum run pendulum.toml                            its motion, summed up
  vinculum run pendulum.toml --report pendulum.html     the same as a page with a replay and plots
  vinculum explain pendulum.toml                        the first instant: forces, multipliers, certificate
  vinculum derive pendulum.toml --format latex          its equations of motion
  vinculum sweep pendulum.toml --vary L=0.5:2:20        many motions: grids, random draws
  vinculum import arm.urdf -o arm.toml                  a robot's file as a model
  vinculum example                                      the built-in models

'vinculum COMMAND --help' shows the options of a command. The exit status is 0 when done, 1 when the motion
could not be computed as asked, 2 for bad usage or a model that cannot be read.)";

constexpr const char* run_examples = R"(
Examples:
  vinculum run model.toml --until 20                    longer than the model says
  vinculum run model.toml --set L=2 --set g=1.62        with other parameters
  vinculum run model.toml --json                        one JSON object on standard output
  vinculum run model.toml --out run.h5 --out run.csv    every recorded instant, in HDF5 and CSV
  vinculum run model.toml --out results                 a folder with all of it
  vinculum run model.toml --report motion.html          a page with replay and plots
  vinculum run model.toml --picture motion.svg          a small moving picture
  vinculum run model.toml --verify                      how many digits of a long motion are right
  vinculum run model.toml --compare                     d'Alembert's and vakonomic motion side by side
  vinculum run model.toml --end "x=1, y=2"              from the start that leads there

Ctrl-C (SIGTERM, SIGHUP) ends a run and keeps what was computed; one more Ctrl-C, after a second, ends the program.)";

constexpr const char* sweep_examples = R"text(
Examples:
  vinculum sweep model.toml --vary m=0.5:2:20 --keep x --out runs.csv
  vinculum sweep model.toml --vary m=1,2,5 --vary "x'=0:3:31" --keep tension.max --out runs.h5
  vinculum sweep model.toml --random "L=normal(1,0.01)" --count 10000 --keep x --out runs.h5
  vinculum sweep model.toml --out runs.h5               what [ensemble] of the model says
  vinculum sweep model.toml --report study.html         distributions, maps and motions as a page
  vinculum sweep model.toml --count 1000000 --device gpu --out runs.h5
  vinculum sweep model.toml --out runs.h5 --resume      goes on where Ctrl-C, or worse, ended it
  vinculum run model.toml --member 4711 --of runs.h5    one member by itself

The grid: every combination, the last --vary runs fastest; draws (--random) at each of its places. Kept are
coordinates, velocities, outputs, energy and t at the end; NAME.max, NAME.min and NAME.mean along the motion,
also between its steps; NAME@0.5 at an instant, NAME.samples at --samples of them; EVENT.time and
EVENT.count. A member that fails is counted and stops no other.)text";

constexpr const char* explain_examples = R"(
Examples:
  vinculum explain model.toml                           the start
  vinculum explain model.toml --time 2.5                the state reached at t = 2.5
  vinculum explain model.toml --road gauss              by the minimum of Gauss's function
  vinculum explain model.toml --try "x=1, y=2"          an acceleration or displacement of your own
  vinculum explain model.toml --json                    all of it as JSON)";

constexpr const char* check_examples = R"(
Examples:
  vinculum check model.toml                             degrees of freedom, redundancy, contradictions, start
  vinculum check model.toml --json && echo fine         exit status 1 where the motion cannot begin)";

constexpr const char* derive_examples = R"(
Examples:
  vinculum derive model.toml                            M, Q, A, b and the acceleration, to read
  vinculum derive model.toml --format latex > eq.tex    the same for a paper
  vinculum derive model.toml --format c > model.c       one C file: cc -O2 -c model.c)";

constexpr const char* expand_examples = R"(
Examples:
  vinculum expand chain.toml                            the model with every part and element written out
  vinculum expand chain.toml --set n=3                  the same for another number of links)";

constexpr const char* import_examples = R"(
Examples:
  vinculum import arm.urdf -o arm.toml                  a model to read and to change
  vinculum import humanoid.xml | less                   the same on standard output (MJCF, SDF, URDF)
  vinculum import dog.urdf --floating -o dog.toml       the root link is not held to the ground
  vinculum run arm.urdf --report arm.html               a robot's file stands for its model everywhere

What is not carried over is told by line, and stands in the head of the model.)";

constexpr const char* new_examples = R"(
Examples:
  vinculum new                                          writes model.toml
  vinculum new pendulum.toml                            writes pendulum.toml
  vinculum new -                                        prints it)";

constexpr const char* example_examples = R"(
Examples:
  vinculum example                                      lists the built-in models
  vinculum example kepler                               copies one to kepler.toml
  vinculum example kepler - | less                      prints it)";

constexpr const char* completion_examples = R"(
Examples:
  source <(vinculum completion bash)                    in ~/.bashrc
  source <(vinculum completion zsh)                     in ~/.zshrc, after compinit
  vinculum completion fish | source                     in ~/.config/fish/config.fish

'make install' puts all three where the shells look for them.)";

constexpr const char* man_examples = R"(
Examples:
  vinculum man | man -l -                               the page itself
  vinculum man > vinculum.1                             'make install' puts it where man looks)";

constexpr const char* schema_examples = R"(
Examples:
  vinculum schema > model.schema.json                   for an editor that knows TOML schemas)";

/// An empty text (from a variable of a script that is not set) is a mistake, not a wish for the default.
std::string says_something(const std::string& value) {
  return value.empty() ? "nothing is given for it" : "";
}

class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", "vinculum " + std::string(version()));
    app_.footer(general_examples);
    app_.require_subcommand(1);
    add_run();
    add_sweep();
    add_explain();
    add_check();
    add_derive();
    add_expand();
    add_import();
    add_others();
    for (CLI::App* sub : app_.get_subcommands({}))
      for (CLI::Option* option : sub->get_options())
        if (option->get_expected_min() > 0) option->check(says_something);
  }

  int execute(int argc, const char* const* argv) {
    if (argc < 2) {
      std::fputs((app_.help() + "\n").c_str(), stderr);
      return bad_usage;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& e) {
      std::ostringstream page;
      app_.exit(e, page, page);
      return print(page.str()) ? done : not_computed;
    } catch (const CLI::ParseError& e) {
      const auto chosen = app_.get_subcommands();
      const std::string help = chosen.empty() ? "vinculum" : "vinculum " + chosen.front()->get_name();
      const bool odd_command = chosen.empty() && argv[1][0] != '-';
      const std::string odd_option = chosen.empty() ? "" : no_option(*chosen.front());
      say("error", (odd_command          ? no_command(argv[1])
                    : odd_option.empty() ? e.what()
                                         : odd_option) +
                       (" ('" + help + " --help' shows how)"));
      return bad_usage;
    }
    return chosen_();
  }

 private:
  std::string no_command(const std::string& word) const {
    std::vector<std::string> names;
    for (const CLI::App* sub : app_.get_subcommands({})) names.push_back(sub->get_name());
    const std::string near = nearest_name(word, names);
    return "there is no command '" + word + "'" +
           (near.empty() ? "; commands are " + list_text(names) : " (did you mean '" + near + "'?)");
  }
  static std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
  }
  /// A sentence on the first option that `command` does not have where it is a slip (--untill, -until) or
  /// belongs to another command; "" elsewhere.
  std::string no_option(const CLI::App& command) const {
    for (const std::string& word : command.remaining()) {
      if (!word.starts_with('-')) continue;
      const std::string name = word.substr(0, word.find('='));
      const std::string asked = "--" + name.substr(std::min(name.find_first_not_of('-'), name.size()));
      const std::vector<std::string> known = options_of(command);
      const std::string near = nearest_name(asked, known);
      const std::string none = fmt::format("'{}' has no option '{}'", command.get_name(), name);
      if (!near.empty()) return none + " (did you mean '" + near + "'?)";
      for (const CLI::App* other : app_.get_subcommands({}))
        if (std::ranges::count(options_of(*other), asked) > 0)
          return fmt::format("{}; 'vinculum {}' has", none, other->get_name());
    }
    return "";
  }
  static CommandInfo info_of(const CLI::App& app) {
    const auto trimmed = [](const std::string& text) {
      return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
    };
    CommandInfo info{app.get_name(), app.get_description(), trimmed(app.get_footer()), {}};
    for (const bool positional : {true, false})
      for (const CLI::Option* option : app.get_options())
        if (option->get_positional() == positional)
          info.options.push_back(
              {option->get_single_name().starts_with('-') || positional ? option->get_single_name()
                                                                        : "--" + option->get_single_name(),
               option->get_expected_max() > 0 && !positional ? option->get_type_name() : "",
               option->get_description()});
    return info;
  }
  std::vector<CommandInfo> commands() const {
    std::vector<CommandInfo> list;
    for (const CLI::App* sub : app_.get_subcommands({})) list.push_back(info_of(*sub));
    return list;
  }
  CLI::App* command(const char* name, const char* text, const char* examples, std::function<int()> action) {
    CLI::App* sub = app_.add_subcommand(name, text);
    sub->footer(examples);
    sub->callback([this, action = std::move(action)] { chosen_ = action; });
    return sub;
  }

  /// On the text of a model.
  CLI::App* text_command(const char* name, const char* text, const char* examples,
                         int (*action)(const Options&)) {
    CLI::App* sub = command(name, text, examples, [this, action] { return action(options_); });
    sub->add_option("MODEL", options_.model, "the model file, or a robot's: .urdf, .xml (MJCF), .sdf")
        ->required();
    sub->add_option("--set", options_.set, "name=value: changes a parameter; may be repeated")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    return sub;
  }
  /// On what it states.
  CLI::App* model_command(const char* name, const char* text, const char* examples,
                          int (*action)(const Options&)) {
    CLI::App* sub = text_command(name, text, examples, action);
    sub->add_flag("--json", options_.json, "one JSON object on standard output, nothing else there");
    sub->add_flag("--assemble", options_.assemble,
                  "moves a start that breaks its constraints to the nearest that does not");
    sub->add_option("--start", options_.start,
                    "\"crank.angle=0.5, crank.angle'=2\": where coordinates start; the rest is assembled");
    sub->add_flag("--quiet", options_.quiet, "no summary, no progress, no notes");
    sub->add_option("--until", options_.until, "the time to reach, instead of the model's");
    sub->add_option("--tolerance", options_.tolerance,
                    "the error asked for, relative to the size of the motion");
    std::string methods;
    for (const auto& i : integrators()) methods += (methods.empty() ? "" : ", ") + i.name;
    sub->add_option("--integrator", options_.integrator, methods);
    sub->add_option("--absolute-tolerance", options_.absolute_tolerance,
                    "an error that does no harm whatever the size of the motion");
    sub->add_option("--step", options_.step, "the largest step; the step of fixed-step methods");
    sub->add_option("--closure", options_.closure,
                    "how far loops may stay open, of the size of the machine (1e-8); 0: to rounding");
    sub->add_option("--kernels", options_.kernels,
                    "native (machine code) or interpret: the same numbers, to the bit, more slowly");
    return sub;
  }

  void add_run() {
    CLI::App* sub = model_command("run", "computes the motion", run_examples, run);
    sub->add_option("--samples", options_.samples,
                    "instants to record, equally spaced, both ends among them");
    sub->add_option("--out", options_.out,
                    "where to record them: FILE.h5, FILE.csv or a folder; may be repeated")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    sub->add_option("--report", options_.report, "FILE.html: a page with the equations, a replay and plots");
    sub->add_option("--picture", options_.picture, "FILE.svg: a small moving picture");
    CLI::Option* verify =
        sub->add_flag("--verify", options_.verify,
                      "compute the motion a second time, another way, and say how many digits "
                      "agree; small motions are verified without being asked");
    sub->add_flag("--no-verify", options_.no_verify, "leave that out")->excludes(verify);
    sub->add_flag(
        "--compare", options_.compare,
        "the motion by the other principle, too: d'Alembert's and the vakonomic one from one start, "
        "with their actions");
    CLI::Option* end =
        sub->add_option("--end", options_.end,
                        "\"x=1, y=2\": where the motion is to end; the start that leads there is "
                        "found, mu of vakonomic motion first");
    sub->add_option("--free", options_.free, "\"x', mu(row)\": what of the start may change for that")
        ->needs(end);
    CLI::Option* member = sub->add_option("--member", options_.member,
                                          "K: the motion of this member of the study that the model states");
    sub->add_option("--of", options_.of, "FILE.h5: or of the study that this file holds")->needs(member);
  }
  void add_sweep() {
    CLI::App* sub =
        model_command("sweep", "many motions: what varies, and what is kept of each", sweep_examples, sweep);
    sub->get_option("MODEL")->required(false);  // lists that stand before it would take it: see with_model
    const auto list = [&](const char* name, std::vector<std::string>& into, const char* text) {
      sub->add_option(name, into, text)->take_all();
    };
    list("--vary", options_.vary,
         "name=from:to:count or name=1,2,5: a parameter or a start; may be repeated");
    list(
        "--random", options_.random,
        "name=normal(mean,deviation), uniform(a,b) or log(a,b): drawn anew for each member; may be repeated");
    sub->add_option("--table", options_.table,
                    "FILE.csv or FILE.h5: its columns vary together, a row at a time");
    list("--columns", options_.columns, "those of the table that vary; all of them unless said");
    list("--keep", options_.keep, "what is kept of each member; the outputs at the end unless said");
    sub->add_option("--samples", options_.samples,
                    "instants of NAME.samples, equally spaced; 101 unless said");
    sub->add_option("--count", options_.count, "how many draws, at each place of the grid");
    sub->add_option("--seed", options_.seed, "another number draws others");
    sub->add_flag("--sobol", options_.sobol, "draws that fill their space evenly: Sobol's sequence");
    sub->add_option("--out", options_.out, "FILE.csv or FILE.h5: a line for each member")
        ->expected(1)
        ->allow_extra_args(false);
    CLI::Option* report = sub->add_option(
        "--report", options_.report, "FILE.html: a page with distributions, maps and motions of members");
    sub->add_option("--motions", options_.motions, "how many members the report replays; 24 unless said")
        ->needs(report);
    sub->add_option("--threads", options_.threads,
                    "how many at once; as many as there are processors unless said");
    sub->add_option("--device", options_.device,
                    "cpu or gpu: a thread of a GPU for each member of a small system");
    sub->add_flag("--resume", options_.resume,
                  "goes on with what an earlier call has left of the same study");
  }
  void add_explain() {
    CLI::App* sub =
        model_command("explain", "everything the theory says about one instant", explain_examples, explain);
    sub->add_option("--time", options_.time, "the instant: the state reached then; the start unless said");
    sub->add_option("--road", options_.road, "automatic, fast, robust, lagrange or gauss");
    sub->add_option(
        "--try", options_.trial,
        "\"x=1, y=2\": what the principles say of these accelerations, or displacements, instead");
    sub->add_option("--family", options_.h,
                    "\"row=1\": h; the multipliers K2 e + [I - (A^T)^+ A^T] h, which make the same force");
    sub->add_option("--weights", options_.weights,
                    "\"row=2\": of all multipliers those with the least sum of weight * lambda^2");
  }
  void add_check() {
    model_command("check", "degrees of freedom, redundancy, contradictions, the start", check_examples,
                  check);
  }
  void add_derive() {
    CLI::App* sub = model_command("derive", "the explicit equations of motion", derive_examples, derive);
    sub->add_option("--format", options_.format, "text, latex or c");
    sub->add_flag("--off-constraints", options_.off_constraints,
                  "equations that hold off the constraints, too: these are not used to shorten them");
  }
  void add_expand() {
    text_command("expand", "prints a model with its parts, repetition and files written out", expand_examples,
                 expand);
  }
  void add_import() {
    CLI::App* sub = command("import", "a robot's file (URDF, MJCF, SDF) as a model", import_examples,
                            [this] { return import_file(path_, output_, floating_, options_.quiet); });
    sub->add_option("FILE", path_, "the robot: .urdf, .xml (MJCF) or .sdf")->required();
    sub->add_option("-o,--output", output_, "the model; standard output unless said");
    sub->add_flag("--floating", floating_, "the root link of a URDF moves freely");
    sub->add_flag("--quiet", options_.quiet, "nothing about what is not carried over");
  }
  void add_others() {
    CLI::App* fresh = command("new", "writes a commented model to start from", new_examples,
                              [this] { return write_new(path_.empty() ? "model.toml" : path_, force_); });
    fresh->add_option("FILE", path_, "where; model.toml unless said, - for standard output");
    fresh->add_flag("--force", force_, "replace a file that is there");
    CLI::App* sample =
        command("example", "lists the built-in models, or copies one", example_examples,
                [this] { return name_.empty() ? list_examples() : copy_example(name_, path_, force_); });
    sample->add_option("NAME", name_, "which one; lists them all unless said");
    sample->add_option("FILE", path_, "where; NAME.toml unless said, - for standard output");
    sample->add_flag("--force", force_, "replace a file that is there");
    CLI::App* shell = command("completion", "prints the completions of a shell", completion_examples,
                              [this] { return completion(name_, commands()); });
    shell->add_option("SHELL", name_, "bash, zsh or fish")->required();
    command("man", "prints the manual page, for man", man_examples,
            [this] { return man_page(info_of(app_), commands()); });
    command("schema", "prints the JSON schema of model files, for editors", schema_examples, schema);
  }

  CLI::App app_{
      "Motion that obeys equations: constrained mechanical systems by the fundamental equation of\n"
      "Udwadia and Kalaba.",
      "vinculum"};
  Options options_;
  std::string name_, path_, output_;
  bool force_ = false, floating_ = false;
  std::function<int()> chosen_;
};

}  // namespace

int execute(int argc, const char* const* argv) {
  prepare_streams();
  try {
    return CommandLine().execute(argc, argv);
  } catch (const std::bad_alloc&) {
    say("error", "there is not enough memory");
    return not_computed;
  } catch (const std::exception& e) {
    say("error", e.what());
    return bad_usage;
  }
}

}  // namespace vinculum::cli
