// What the program is asked: usage and its exit status, help, and what the program brings along.
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/program.hpp"
#include "io/model/document.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string model =
    "[parameters]\nm = 1\n[coordinates]\nx = { rate = 1 }\n[mass]\nx = 'm'\n[simulate]\nuntil = 1\n";

/// Exit 2: nothing on standard output, a sentence on standard error.
void expect_refused(const Folder& vinculum, const std::string& arguments, const std::string& said) {
  const Outcome outcome = vinculum(arguments);
  EXPECT_EQ(outcome.status, 2) << arguments;
  EXPECT_EQ(outcome.out, "") << arguments;
  EXPECT_EQ(outcome.err, said + "\n") << arguments;
}

TEST(Usage, AHundredFaultsAreShownAndTheOthersCounted) {
  const Folder vinculum;
  std::string text = model + "[outputs]\n";
  for (int k = 0; k < 130; ++k) text += "o" + std::to_string(k) + " = 'nobody" + std::to_string(k) + "'\n";
  vinculum.write("m.toml", text);
  const Outcome outcome = vinculum("check m.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 101);
  EXPECT_TRUE(has(outcome.err, "m.toml:10:7: unknown name 'nobody0' in output 'o0'\n")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "m.toml: and 30 more faults; the first 100 are shown\n")) << outcome.err;
}

/// x'' = -d, with d the last of a chain of definitions each of which uses the one before three times.
TEST(Usage, SharedExpressionsAreNeverWrittenOutToBeRead) {
  const Folder vinculum;
  std::string text = "[coordinates]\nx = { start = 1.2, rate = 1 }\n[mass]\nx = 1\n[definitions]\nd0 = 'x'\n";
  double d = 1.2;
  for (int k = 1; k <= 40; ++k) {
    const std::string last = "d" + std::to_string(k - 1);
    text += "d" + std::to_string(k) + " = 'if(" + last + " > 0.8, 0.9*" + last + " + 0.08, " + last + ")'\n";
    d = 0.9 * d + 0.08;
  }
  vinculum.write("m.toml", text + "[forces]\nx = '-d40'\n[constraints]\nc = \"y = d40*t^2\"\n");
  text = vinculum.read("m.toml");
  text.replace(text.find("x = { start"), 1, "y = 0\nx");
  text.replace(text.find("[mass]\n"), 7, "[mass]\ny = 1\n");
  vinculum.write("m.toml", text);
  for (const char* command : {"check", "explain", "run --until 0.001"}) {
    const Outcome outcome = vinculum(std::string(command) + " m.toml --json");
    EXPECT_EQ(outcome.status, 0) << command << outcome.err;
  }
  const Json answer = Json::parse(vinculum("explain m.toml --json").out);
  EXPECT_NEAR(answer["force"][1].get<double>(), -d, 1e-13);  // 40 operations
}

TEST(Usage, BadUsageEndsWithTwoAndASentence) {
  const Folder vinculum;
  vinculum.write("m.toml", model);
  const std::string error = "vinculum: error: ";
  expect_refused(vinculum, "rum m.toml",
                 error + "there is no command 'rum' (did you mean 'run'?) ('vinculum --help' shows how)");
  expect_refused(vinculum, "run", error + "MODEL is required ('vinculum run --help' shows how)");
  expect_refused(vinculum, "run m.toml --fast",
                 error + "The following argument was not expected: --fast ('vinculum run --help' shows how)");
  expect_refused(
      vinculum, "run m.toml other.toml",
      error + "The following argument was not expected: other.toml ('vinculum run --help' shows how)");
  expect_refused(vinculum, "run m.toml --until soon",
                 error + "Could not convert: --until = soon ('vinculum run --help' shows how)");
  expect_refused(vinculum, "run m.toml --until nan", error + "--until nan: it must be a finite time");
  expect_refused(vinculum, "explain m.toml --time inf", error + "--time inf: it must be a finite time");
  expect_refused(vinculum, "run m.toml --tolerance 0", error + "--tolerance 0: it must lie between 0 and 1");
  expect_refused(vinculum, "run m.toml --tolerance -1e-9",
                 error + "--tolerance -1e-9: it must lie between 0 and 1");
  expect_refused(vinculum, "run m.toml --step 0", error + "--step 0: it must be positive");
  expect_refused(vinculum, "run m.toml --samples 0",
                 error + "--samples 0: it must lie between 1 and 10000000");
  expect_refused(vinculum, "run m.toml --integrator radau",
                 error +
                     "--integrator radau: integrators are dop853, dopri5, rk4, radau5, extrapolation, "
                     "taylor and auto (did you mean "
                     "'radau5'?)");
  expect_refused(vinculum, "run m.toml --integrator rk4",
                 error + "'rk4' has a fixed step: say which, by 'step' in [simulate] or --step");
  expect_refused(vinculum, "explain m.toml --road high",
                 error + "--road high: roads are automatic, fast, robust, lagrange and gauss");
  expect_refused(vinculum, "derive m.toml --format pdf",
                 error + "--format pdf: formats are text, latex and c");
}

TEST(Usage, ASlipGetsASuggestion) {
  const Folder vinculum;
  vinculum.write("swing.toml", model);
  const std::string error = "vinculum: error: ", run_help = " ('vinculum run --help' shows how)";
  for (const char* line :
       {"run swing.toml --untill 3", "run --untill 3 swing.toml", "run swing.toml --untill=3"})
    expect_refused(vinculum, line,
                   error + "'run' has no option '--untill' (did you mean '--until'?)" + run_help);
  expect_refused(vinculum, "run swing.toml -until 3",
                 error + "'run' has no option '-until' (did you mean '--until'?)" + run_help);
  expect_refused(
      vinculum, "check swing.toml --report a.html",
      error + "'check' has no option '--report'; 'vinculum run' has ('vinculum check --help' shows how)");
  const std::string missing = ": cannot be read: No such file or directory";
  const std::string kepler = "; 'kepler' is a built-in model: 'vinculum example kepler' copies it here";
  expect_refused(vinculum, "run kepler", "kepler" + missing + kepler);
  expect_refused(vinculum, "run keplr.toml", "keplr.toml" + missing + kepler);
  expect_refused(vinculum, "run swing", "swing" + missing + " (did you mean 'swing.toml'?)");
  expect_refused(vinculum, "run ./swnig.toml", "./swnig.toml" + missing + " (did you mean './swing.toml'?)");
}

TEST(Usage, APageOrAPictureInAnotherFormatIsRefusedBeforeItIsComputed) {
  const Folder vinculum;
  vinculum.write("m.toml", model);
  expect_refused(
      vinculum, "run m.toml --report x.pdf",
      "vinculum: error: --report x.pdf: the report is a page, FILE.html; a browser prints it to PDF");
  expect_refused(vinculum, "run m.toml --picture x.png",
                 "vinculum: error: --picture x.png: the picture is a moving drawing, FILE.svg; the report, "
                 "FILE.html, saves each plot as PNG");
  EXPECT_EQ(vinculum("run m.toml --report X.HTM --picture X.SVG").status, 0);
  EXPECT_EQ(vinculum.shell("ls").out, "X.HTM\nX.SVG\nm.toml\n");
}

TEST(Usage, AnEmptyValueIsAMistakeAndNotTheDefault) {
  const Folder vinculum;
  vinculum.write("m.toml", model);
  for (const char* option : {"--out", "--report", "--picture", "--until", "--samples", "--tolerance",
                             "--step", "--integrator", "--set"}) {
    expect_refused(vinculum, std::string("run m.toml ") + option + " ''",
                   std::string("vinculum: error: ") + option +
                       ": nothing is given for it ('vinculum run --help' shows how)");
    EXPECT_EQ(vinculum(std::string("run m.toml ") + option + "=").status, 2) << option;
  }
  expect_refused(vinculum, "explain m.toml --time ''",
                 "vinculum: error: --time: nothing is given for it ('vinculum explain --help' shows how)");
  expect_refused(vinculum, "explain m.toml --road ''",
                 "vinculum: error: --road: nothing is given for it ('vinculum explain --help' shows how)");
  expect_refused(vinculum, "derive m.toml --format ''",
                 "vinculum: error: --format: nothing is given for it ('vinculum derive --help' shows how)");
  expect_refused(vinculum, "run ''",
                 "vinculum: error: MODEL: nothing is given for it ('vinculum run --help' shows how)");
  EXPECT_EQ(vinculum.shell("ls").out, "m.toml\n");
}

TEST(Usage, FilesThatCannotBeReadEndWithTwo) {
  const Folder vinculum;
  expect_refused(vinculum, "run nowhere.toml --json",
                 "nowhere.toml: cannot be read: No such file or directory");
  expect_refused(vinculum, "check . --json", ".: this is a folder; a model is a file");
  vinculum.write("empty.toml", "");
  expect_refused(vinculum, "explain empty.toml --json",
                 "empty.toml:1:1: the file is empty; 'vinculum new' writes a model to start from");
  vinculum.write("two.toml", "[coordinates]\nx = 'a'\n[mass]\nx = 'bb'\n");
  for (const char* command : {"run", "explain", "check", "derive"})
    expect_refused(vinculum, std::string(command) + " two.toml --json",
                   "two.toml:2:6: unknown name 'a' in the start of coordinate 'x'\ntwo.toml:4:6: unknown "
                   "name 'bb' in mass "
                   "'x'");
}

TEST(Usage, AFaultIsOneLineWhateverItNames) {
  const Folder vinculum;
  vinculum.write("m.toml", "\"a\\nb\\u001b[2J\" = 1\n[coordinates]\nx = 0\n[mass]\nx = 1\n");
  expect_refused(vinculum, "check m.toml", "m.toml:1:1: unknown key 'a\\nb\\x1b[2J'");
}

TEST(Usage, SetChangesParametersOnly) {
  const Folder vinculum;
  vinculum.write("m.toml", model);
  expect_refused(vinculum, "run m.toml --set q=1",
                 "--set q=1: there is no parameter 'q' in 'm.toml'; parameters are m");
  expect_refused(vinculum, "check m.toml --set x=1",
                 "--set x=1: there is no parameter 'x' in 'm.toml'; parameters are m");
  expect_refused(vinculum, "run m.toml --set m",
                 "vinculum: error: --set m: write it as name=value, for example --set L=2");
  expect_refused(vinculum, "run m.toml --set m=1/0",
                 "--set m=1/0: parameter 'm' is inf; it must be a finite number");
  const Outcome twice = vinculum("explain m.toml --json --set m=7 --set 'm=2*2'");
  EXPECT_EQ(twice.status, 0);
  EXPECT_EQ(twice.err, "vinculum: warning: --set m is given twice; the last, 2*2, holds\n");
  EXPECT_EQ(Json::parse(twice.out)["mass"], (Json{{4.0}}));
}

TEST(Usage, ARunNeedsAnEnd) {
  const Folder vinculum;
  vinculum.write("m.toml", "[coordinates]\nx = 0\n[mass]\nx = 1\n");
  expect_refused(
      vinculum, "run m.toml --json",
      "vinculum: error: 'm.toml' does not say until when: give 'until' in [simulate], or --until T");
  EXPECT_EQ(vinculum("run m.toml --until 1").status, 0);
  for (const char* command : {"explain", "check", "derive"})
    EXPECT_EQ(vinculum(std::string(command) + " m.toml").status, 0);
}

TEST(Usage, QuietSaysNothingOfWhatWentWell) {
  const Folder vinculum;
  vinculum.write("m.toml", model);
  for (const char* command : {"run", "explain", "check"}) {
    const Outcome outcome = vinculum(std::string(command) + " m.toml --quiet");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out + outcome.err, "") << command;
    const Outcome json = vinculum(std::string(command) + " m.toml --quiet --json");
    EXPECT_TRUE(Json::accept(json.out));
  }
}

TEST(Usage, EveryCommandHelpsWithExamples) {
  const Folder vinculum;
  for (const char* command : {"", "run", "explain", "check", "derive", "expand", "import", "new", "example",
                              "completion", "man", "schema"}) {
    const Outcome outcome = vinculum(std::string(command) + " --help");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(outcome.out, "\nExamples:\n  vinculum ") ||
                has(outcome.out, "\nExamples:\n  source <(vinculum "))
        << command << outcome.out;
    EXPECT_TRUE(has(outcome.out, "Usage: vinculum")) << outcome.out;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_TRUE(std::regex_match(vinculum("--version").out, std::regex("vinculum [0-9]+\\.[0-9]+\\.[0-9]+\n")));
  const Outcome bare = vinculum("");
  EXPECT_EQ(bare.status, 2);
  EXPECT_EQ(bare.out, "");
  EXPECT_TRUE(has(bare.err, "Usage: vinculum"));
}

TEST(Usage, AResultNobodyCanReadIsNoSuccess) {
  const Folder vinculum;
  vinculum.write("m.toml", model);
  for (const char* command :
       {"run m.toml", "run m.toml --json", "explain m.toml", "explain m.toml --json", "check m.toml",
        "check m.toml --json", "derive m.toml", "derive m.toml --json", "new -", "example",
        "example kepler -", "schema", "completion bash", "--help", "run --help", "--version"}) {
    const Outcome full = vinculum(std::string(command) + " > /dev/full");
    EXPECT_EQ(full.status, 1) << command;
    EXPECT_EQ(
        full.err,
        "vinculum: error: the result could not be written to standard output: No space left on device\n")
        << command;
    const Outcome closed = vinculum(std::string(command) + " >&-");
    EXPECT_EQ(closed.status, 1) << command;
    EXPECT_TRUE(has(closed.err, "the result could not be written to standard output")) << command;
  }
}

// --- What the program brings along
// ---------------------------------------------------------------------------------------------------------

TEST(Brought, ANewModelRunsAndIsNeverOverwritten) {
  const Folder vinculum;
  EXPECT_EQ(vinculum("new first.toml").status, 0);
  EXPECT_EQ(vinculum("run first.toml").status, 0);
  const std::string text = vinculum.read("first.toml");
  EXPECT_TRUE(has(text, "#"));
  vinculum.write("first.toml", "mine");
  expect_refused(
      vinculum, "new first.toml",
      "vinculum: error: 'first.toml' is there already; name another file, or --force to replace it");
  EXPECT_EQ(vinculum.read("first.toml"), "mine");
  EXPECT_EQ(vinculum("new first.toml --force").status, 0);
  EXPECT_EQ(vinculum.read("first.toml"), text);
  EXPECT_EQ(vinculum("new -").out, text);
  EXPECT_EQ(vinculum("new").status, 0);
  EXPECT_EQ(vinculum.read("model.toml"), text);
}

TEST(Brought, ExamplesAreListedAndCopied) {
  const Folder vinculum;
  const Outcome list = vinculum("example");
  EXPECT_EQ(list.status, 0);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    EXPECT_TRUE(has("\n" + list.out, "\n" + entry.path().stem().string() + " ")) << entry.path();
  }
  EXPECT_GE(count, 20);
  EXPECT_EQ(vinculum("example kepler").status, 0);
  EXPECT_EQ(vinculum.read("kepler.toml"), vinculum("example kepler -").out);
  expect_refused(
      vinculum, "example kepler",
      "vinculum: error: 'kepler.toml' is there already; name another file, or --force to replace it");
  EXPECT_EQ(vinculum("example kepler mine.toml").status, 0);
  EXPECT_EQ(vinculum("check mine.toml").status, 0);
  expect_refused(vinculum, "example keppler",
                 "vinculum: error: there is no example 'keppler' (did you mean 'kepler'?); 'vinculum "
                 "example' lists them");
}

TEST(Brought, BashCompletesCommandsOptionsAndFiles) {
  const Folder vinculum;
  vinculum.write("swing.toml", model);
  vinculum.write("notes.txt", "");
  const auto complete = [&](const std::string& words) {
    return vinculum
        .shell("source <(vinculum completion bash)\nCOMP_WORDS=(" + words +
               ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_vinculum\necho \"${COMPREPLY[*]}\"")
        .out;
  };
  EXPECT_EQ(complete("vinculum ex"), "explain expand example\n");
  EXPECT_EQ(complete("vinculum run s"), "swing.toml\n");
  EXPECT_EQ(complete("vinculum run n"), "\n");
  EXPECT_EQ(complete("vinculum run swing.toml --integrator d"), "dop853 dopri5\n");
  EXPECT_EQ(complete("vinculum run swing.toml --rep"), "--report\n");
  EXPECT_EQ(complete("vinculum check swing.toml --rep"), "\n");
  EXPECT_EQ(complete("vinculum explain swing.toml --ti"), "--time\n");
  EXPECT_EQ(complete("vinculum derive swing.toml --format l"), "latex\n");
  EXPECT_EQ(complete("vinculum example kep"), "kepler\n");
  EXPECT_EQ(complete("vinculum completion z"), "zsh\n");
  const Outcome loaded = vinculum.shell("source <(vinculum completion bash)\ncomplete -p vinculum");
  EXPECT_TRUE(has(loaded.out, "-F _vinculum vinculum")) << loaded.out << loaded.err;
  EXPECT_EQ(vinculum("completion tcsh").status, 2);
}

TEST(Brought, ZshReadsItsCompletions) {
  const Folder vinculum;
  EXPECT_TRUE(has(vinculum("completion zsh").out, "#compdef vinculum\n"));
  ASSERT_EQ(vinculum.shell("command -v zsh").status, 0) << "zsh is missing: tools/install_packages test";
  const Outcome outcome = vinculum.shell("vinculum completion zsh > _vinculum && zsh -n _vinculum");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Brought, FishIsToldEveryCommandAndOptionThatHelpShows) {
  const Folder vinculum;
  const std::string text = vinculum("completion fish").out;
  EXPECT_TRUE(has(text, "complete -c vinculum -n __fish_use_subcommand -a run -d 'computes the motion'\n"));
  EXPECT_TRUE(has(text, "'__fish_seen_subcommand_from run' -l until -x -d 'the time to reach"));
  EXPECT_TRUE(has(text, "'__fish_seen_subcommand_from derive' -l format -x -a 'text latex c'"));
  EXPECT_TRUE(has(text, "'__fish_seen_subcommand_from run' -l report -r -F -d"));
  EXPECT_TRUE(has(text, "' -l quiet -d "));
  if (vinculum.shell("command -v fish").status != 0) return;  // its grammar is checked where it is installed
  const Outcome read = vinculum.shell("vinculum completion fish > v.fish && fish -n v.fish");
  EXPECT_EQ(read.status, 0) << read.err;
}

TEST(Brought, TheManualPageHasEveryOptionThatHelpShows) {
  const Folder vinculum;
  const std::string page = vinculum("man").out;
  EXPECT_TRUE(page.starts_with(".TH VINCULUM 1 ")) << page;
  const std::regex option("--[a-z-]+");
  for (const char* command :
       {"run", "explain", "check", "derive", "expand", "import", "new", "example", "completion", "schema"}) {
    const std::string help = vinculum(std::string(command) + " --help").out;
    EXPECT_TRUE(has(page, std::string(".SS vinculum ") + command)) << command;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) {
      const std::string name = std::regex_replace(at->str(), std::regex("-"), "\\-");
      EXPECT_TRUE(has(page, name)) << command << " " << at->str();
    }
  }
  // Nothing that troff would take for a request of its own.
  const std::regex request("(^|\n)\\.(?!TH|SH|SS|TP|nf|fi)[^\n]*");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(page, found, request)) << found.str();
}

/// The part of JSON Schema that the schema uses: does it allow a value?
bool allows(const Json& schema, const Entry& value);

bool allows_table(const Json& schema, const Entry& table) {
  for (const Entry& value : table.entries) {
    if (schema.contains("properties") && schema["properties"].contains(value.key)) {
      if (!allows(schema["properties"][value.key], value)) return false;
    } else if (schema.contains("additionalProperties")) {
      const Json& more = schema["additionalProperties"];
      if (more.is_boolean() ? !more.get<bool>() : !allows(more, value)) return false;
    }
  }
  for (const Json& needed : schema.value("required", Json::array()))
    if (table.find(needed.get<std::string>()) == nullptr) return false;
  return true;
}

bool allows_array(const Json& schema, const Entry& array) {
  if (array.entries.size() < schema.value("minItems", 0u)) return false;
  if (array.entries.size() > schema.value("maxItems", 1000u)) return false;
  for (const Entry& item : array.entries)
    if (!allows(schema["items"], item)) return false;
  return true;
}

bool allows(const Json& schema, const Entry& value) {
  using Kind = Entry::Kind;
  if (schema.contains("anyOf")) {
    for (const Json& choice : schema["anyOf"])
      if (allows(choice, value)) return true;
    return false;
  }
  if (schema.contains("enum")) {
    for (const Json& word : schema["enum"])
      if (value.kind == Kind::text && value.text == word.get<std::string>()) return true;
    return false;
  }
  const std::string type = schema.value("type", "");
  if (type == "string") return value.kind == Kind::text;
  if (type == "number") return value.kind == Kind::number;
  if (type == "integer") return value.kind == Kind::number && value.is_integer;
  if (type == "boolean") return value.kind == Kind::boolean;
  if (type == "array") return value.kind == Kind::array && allows_array(schema, value);
  return type != "object" || (value.kind == Kind::table && allows_table(schema, value));
}

bool allows_text(const Json& schema, const std::string& text) {
  Entry root;
  std::vector<Fault> faults;
  EXPECT_TRUE(read_document(Source(text, "m.toml"), root, faults)) << text;
  root.kind = Entry::Kind::table;
  return allows(schema, root);
}

TEST(Brought, TheSchemaAllowsEveryExampleAndRefusesWhatTheReaderRefuses) {
  const Folder vinculum;
  const Outcome outcome = vinculum("schema");
  EXPECT_EQ(outcome.status, 0);
  const Json schema = Json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(schema.is_object());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(VINCULUM_SOURCE "/examples"))
    if (entry.path().extension() == ".toml") {
      EXPECT_TRUE(allows_text(schema, vinculum.shell("cat '" + entry.path().string() + "'").out))
          << entry.path();
    }
  EXPECT_TRUE(allows_text(schema, vinculum("new -").out));
  for (const char* wrong : {"color = 1",
                            "title = 1",
                            "[coordinate]\nx = 1",
                            "[coordinates]\nx = { speed = 1 }",
                            "[coordinates]\nx = true",
                            "[particles.p]\nposition = [0, 0, 0]",
                            "[particles.p]\nmass = 1\nposition = [0, 0]",
                            "[springs.s]\nstiffness = 1",
                            "[constraints]\nc = 1",
                            "[constraints]\nc = { friction = 1 }",
                            "[events]\ne = { stop = true }",
                            "[events]\ne = { at = 'x', direction = 'up' }",
                            "[simulate]\nuntill = 1",
                            "[simulate]\nintegrator = 'euler'",
                            "[parts.a]\nuse = 3",
                            "[components.a]\ngravity = [0, 0, 1]",
                            "[particles.p]\nmass = 1\nfor = 3",
                            "[outputs]\nz = { for = 'i = 1..2' }",
                            "include = 3",
                            "[simulate]\nsamples = 1.5",
                            "mechanics = 'newton'"})
    EXPECT_FALSE(allows_text(schema, wrong)) << wrong;
}

}  // namespace
}  // namespace vinculum::cli_test
