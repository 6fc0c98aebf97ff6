// The commands. Each returns the exit status: 0 done, 1 the motion could not be computed as asked, 2 bad
// usage or a model that cannot be read.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/io/beginning.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum::cli {

inline constexpr int done = 0, not_computed = 1, bad_usage = 2;

/// What the commands on models share.
struct Options {
  std::string model;
  std::vector<std::string> set;  ///< name=value
  std::optional<double> until, tolerance, absolute_tolerance, step, closure;
  std::optional<int> samples;
  std::string integrator, kernels = "native";
  bool json = false, quiet = false;
  bool assemble = false;             ///< move the start onto its constraints
  std::optional<std::string> start;  ///< "crank.angle=0.5, x'=1": what it is to be there
  // run
  std::vector<std::string> out;
  std::string report, picture;
  bool verify = false, no_verify = false, compare = false;
  std::optional<std::string> end, free;
  std::optional<long> member;  ///< of a study: the values it has there
  std::string of;              ///< the file of that study; "": the model's own
  // sweep
  std::vector<std::string> vary, random, keep, columns;
  std::string table;
  std::optional<long> count;
  std::optional<long> seed;
  bool sobol = false, resume = false;
  std::optional<long> motions;  ///< in the report
  std::optional<int> threads;   ///< all processors unless said
  std::string device = "cpu";
  // explain
  std::optional<double> time;
  std::string road = "automatic";
  std::optional<std::string> trial, h, weights;
  // derive
  std::string format = "text";
  bool off_constraints = false;
};

/// The whole program: its arguments are told as to main().
int execute(int argc, const char* const* argv);

int run(const Options& options);
int sweep(const Options& options);
int explain(const Options& options);
int check(const Options& options);
int derive(const Options& options);
int expand(const Options& options);
/// A robot's file as a model; on standard output without `out`.
int import_file(const std::string& path, const std::string& out, bool floating, bool quiet);
int write_new(const std::string& path, bool force);
int list_examples();
int copy_example(const std::string& name, std::string path, bool force);
/// What else could be meant by a file that is not there: a file beside it, or a built-in model; "" without.
std::string meant_instead_of(const std::string& path);
/// A command as --help describes it. Positional arguments have names without dashes and come first.
struct OptionInfo {
  std::string name, value, text;  ///< `value` is what it takes, "" for a switch
};
struct CommandInfo {
  std::string name, text, examples;
  std::vector<OptionInfo> options;
};
int completion(const std::string& shell, std::span<const CommandInfo> commands);
int man_page(const CommandInfo& program, std::span<const CommandInfo> commands);
int schema();

/// Tells what is wrong with a file, and what of a robot was not carried over.
void report(const std::string& file, const std::vector<Fault>& faults);
void say_remarks(const std::vector<Remark>& remarks);

/// A model that was read, with its settings as the command line changed them. Faults are printed; no value
/// then.
struct Loaded : Beginning {
  Overrides overrides;
};
/// Parameters that --set changed live on in the system where that is asked for.
std::optional<Loaded> load(const Options& options, bool living = false);
/// The same for equations in symbols, where names may be left without value.
std::optional<ModelFile> load_for_derive(const Options& options);
MotionOptions motion_options(const Loaded& model, const Options& options);
/// The motion with progress on a terminal; Ctrl-C ends it and keeps what was computed.
Trajectory compute(const Loaded& model, const MotionOptions& motion, const Options& options);
/// How exact it is, kept with it: asked for, or a motion so small that it costs nothing to speak of.
void verify_as_asked(const Loaded& model, const MotionOptions& how, const Options& options,
                     Trajectory& motion);

}  // namespace vinculum::cli
