// vinculum sweep --report: the page of a study has the numbers of its members, counted all of them, and
// motions that are those of 'run'.
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "cli/started.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A ball on a ring of radius d: below d = 1 there is no start, and a wall that none passes stands at 2.2.
const std::string ring = R"toml(
title = "A ring <with> a wall & \"quotes\""
[parameters]
k = 4
d = 1.5
[coordinates]
x = 1
y = "sqrt(d^2 - 1)"
[mass]
x = 1
y = 1
[forces]
x = "-k*x"
y = "-2 + 0.02/(x - 2.2)"
[constraints]
ring = "x^2 + y^2 = d^2"
[outputs]
pull = "norm(force(ring))"
[events]
through = "x"
[units]
t = "s"
x = "m"
pull = "N"
[simulate]
until = 2
)toml";

Json data_of(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const std::size_t from = page.find(mark) + mark.size(), to = page.find("</script>", from);
  return Json::parse(page.substr(from, to - from));
}

/// The table of --out by its names; words that are no numbers are not a number.
std::map<std::string, std::vector<double>> columns_of(const std::string& text,
                                                      std::vector<std::string>& status) {
  std::istringstream lines(text);
  std::string line, field;
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  for (bool head = true; std::getline(lines, line); head = false) {
    std::istringstream fields(line);
    for (std::size_t k = 0; std::getline(fields, field, ','); ++k) {
      if (head) {
        names.push_back(field);
      } else if (names[k] == "status") {
        status.push_back(field);
      } else {
        double value = NAN;
        std::from_chars(field.data(), field.data() + field.size(), value);
        columns[names[k]].push_back(value);
      }
    }
  }
  return columns;
}

/// Bins against a count of the values; a kind for each.
void expect_counted(const Json& bins, const std::vector<double>& values,
                    const std::vector<std::string>& status, bool logarithmic) {
  const double low = bins["low"], width = bins["width"];
  std::vector<long> reached(bins["reached"].size()), failed(reached.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    const double x = logarithmic ? std::log10(values[i]) : values[i];
    const auto k = static_cast<std::size_t>(std::floor((x - low) / width));
    ASSERT_LT(k, reached.size());
    ++(status[i] == "done" || status[i] == "event" ? reached : failed)[k];
  }
  EXPECT_EQ(bins["reached"].get<std::vector<long>>(), reached);
  EXPECT_EQ(bins["failed"].get<std::vector<long>>(), failed);
}

const std::string study =
    "sweep m.toml --quiet --random \"k=log(0.1,100)\" \"d=uniform(0.8,3)\" --count 600 "
    "--keep x pull.max through.count ";

TEST(SweepReport, DistributionsMeansAndPointsAreThoseOfTheTable) {
  const Folder vinculum;
  const Outcome o = vinculum(study + "--out o.csv --report o.html", ring);
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string page = vinculum.read("o.html");
  EXPECT_TRUE(has(page, "<title>A ring &lt;with&gt; a wall &amp; &quot;quotes&quot;</title>"));
  const Json data = data_of(page), &s = data["study"];
  std::vector<std::string> status;
  auto columns = columns_of(vinculum.read("o.csv"), status);
  EXPECT_EQ(s["members"], 600);
  EXPECT_EQ(s["computed"], 600);
  EXPECT_EQ(s["complete"], true);
  EXPECT_EQ(s["one_of"], 1);
  const auto fine = std::ranges::count_if(status, [](const auto& w) { return w == "done"; });
  EXPECT_EQ(s["reached"], fine);
  EXPECT_GT(fine, 300);
  EXPECT_LT(fine, 560);
  std::map<std::string, long> failures;
  for (const std::string& word : status)
    if (word != "done") ++failures[word];
  EXPECT_EQ(s["failed"].size(), failures.size());
  for (const Json& f : s["failed"]) {
    EXPECT_EQ(f["count"], failures.at(f["status"]));
    EXPECT_EQ(status[f["first"][0]["member"].get<std::size_t>()], f["status"]);
    EXPECT_NE(f["first"][0]["reason"], "");
  }
  for (const char* kind : {"varied", "kept"})
    for (std::size_t c = 0; c < s[kind].size(); ++c) {
      const Json& info = s[kind][c];
      const std::vector<double>& values = columns.at(info["name"]);
      const Json& d = info["distribution"];
      SCOPED_TRACE(info["name"].get<std::string>());
      const auto finite = std::ranges::count_if(values, [](double x) { return std::isfinite(x); });
      EXPECT_EQ(d["finite"], finite);
      EXPECT_EQ(d["without"], 600 - finite);
      expect_counted(d["bins"], values, status, false);
      const bool positive = std::ranges::all_of(values, [](double x) { return !(x <= 0); });
      EXPECT_EQ(d["log"].is_null(), !positive);
      if (positive) expect_counted(d["log"], values, status, true);
      const Json& drawn = s["points"][kind][c];
      ASSERT_EQ(drawn.size(), 600u);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i]))
          EXPECT_NEAR(drawn[i].get<double>(), values[i], kind[0] == 'v' ? 0.0 : 1e-6 * 100) << i;
        else
          EXPECT_TRUE(drawn[i].is_null());
      if (kind[0] == 'v') continue;
      double sum = 0, squares = 0;
      for (const double x : values)
        if (std::isfinite(x)) sum += x;
      const double mean = sum / static_cast<double>(finite);
      for (const double x : values)
        if (std::isfinite(x)) squares += (x - mean) * (x - mean);
      EXPECT_NEAR(info["mean"].get<double>(), mean, 1e-12 * (1 + std::fabs(mean)));
      EXPECT_NEAR(info["deviation"].get<double>(), std::sqrt(squares / static_cast<double>(finite - 1)),
                  1e-9);
      EXPECT_EQ(values[info["max_member"].get<std::size_t>()], info["max"].get<double>());
      EXPECT_EQ(values[info["min_member"].get<std::size_t>()], info["min"].get<double>());
    }
  EXPECT_EQ(s["kept"][0]["unit"], "m");
  EXPECT_EQ(s["kept"][1]["unit"], "N");
  EXPECT_EQ(s["varied"][0]["kind"], "log");
}

/// What a page says of a member: its values, and its motion where that is there.
TEST(SweepReport, MotionsOnThePageAreThoseOfTheMembers) {
  const Folder vinculum;
  ASSERT_EQ(vinculum(study + "--out o.csv --report o.html", ring).status, 0);
  const Json data = data_of(vinculum.read("o.html"));
  std::vector<std::string> status;
  auto columns = columns_of(vinculum.read("o.csv"), status);
  ASSERT_EQ(data["motions"].size(), 24u);
  long failed = 0, largest = 0;
  for (const Json& m : data["motions"]) {
    const auto k = m["member"].get<std::size_t>();
    if (has(m["why"], "the largest pull.max")) {
      ++largest;
      EXPECT_EQ(columns["pull.max"][k], data["study"]["kept"][1]["max"].get<double>());
    }
    ASSERT_FALSE(m["end"].is_null());
    if (status[k] != "done") {
      ++failed;
      EXPECT_FALSE(m["run"]["fine"].get<bool>());
      EXPECT_NE(m["run"]["reason"], "");
      continue;
    }
    EXPECT_EQ(m["run"]["time"], 2);
    EXPECT_EQ(m["run"]["samples"], 301);
    // To the last digit: the member was computed as 'run' would.
    EXPECT_EQ(m["end"]["coordinates"][0]["value"].get<double>(), columns["x"][k]) << k;
    EXPECT_GT(m["frames"]["points"].size(), 0u);
    EXPECT_EQ(m["frames"]["points"][0]["xyz"].size(), 3 * m["frames"]["t"].size());
    EXPECT_GE(m["panels"].size(), 4u);
  }
  EXPECT_EQ(largest, 1);
  const auto moved = [](const std::string& word) { return word != "done" && word != "model"; };
  EXPECT_EQ(failed, std::min<long>(6, std::ranges::count_if(status, moved)));
  EXPECT_GT(failed, 2);
}

/// With a grid, a start that varies, and every way to say which study it is.
TEST(SweepReport, TheCommandForAMemberShowsThatMember) {
  const Folder vinculum;
  const std::string own =
      ring +
      "[ensemble]\nk = { from = 1, to = 9, count = 5 }\n\"y'\" = { values = [0, 0.5] }\nkeep = [\"x\"]\n";
  const auto end_of_last = [&](const std::string& line, const std::string& shape) {
    const Outcome o = vinculum(line, own);
    ASSERT_EQ(o.status, 0) << o.err;
    const Json data = data_of(vinculum.read("s.html")), &s = data["study"], &command = s["command"];
    std::string words = command["before"];
    const std::size_t row = s["points"]["member"].size() - 1;
    if (command["by_values"].get<bool>()) {
      std::string starts = command["start"];
      for (std::size_t k = 0; k < s["varied"].size(); ++k) {
        const std::string said =
            s["varied"][k]["name"].get<std::string>() + "=" + s["points"]["varied"][k][row].dump();
        if (s["varied"][k]["start"].get<bool>())
          starts += (starts.empty() ? "" : ", ") + said;
        else
          words += " --set \"" + said + "\"";
      }
      words += " --start \"" + starts + "\"";
    } else {
      words += s["points"]["member"][row].dump();
    }
    words += command["after"];
    EXPECT_TRUE(has(words, shape)) << words;
    const Outcome run = vinculum.shell(words + " --json --quiet --no-verify");
    ASSERT_EQ(run.status, 0) << words << ": " << run.err;
    const double x = Json::parse(run.out)["q"][0];
    EXPECT_NEAR(s["points"]["kept"][0][row].get<double>(), x, 1e-5) << words;
    EXPECT_EQ(data["motions"].back()["end"]["coordinates"][0]["value"].get<double>(), x) << words;
  };
  end_of_last("sweep m.toml --quiet --report s.html", "--member 9");
  end_of_last("sweep m.toml --quiet --until 1 --report s.html --set d=1.25",
              "--set d=1.25 --until 1 --member 9");
  end_of_last("sweep m.toml --quiet --report s.html --out s.h5 --until 1", "--member 9 --of s.h5");
  end_of_last("sweep m.toml --quiet --report s.html --out s.csv --vary k=1,2 \"y'=0.1,0.2\" --tolerance 1e-6",
              "--tolerance 1e-6 --set");
  end_of_last("sweep m.toml --quiet --report s.html --vary k=1,2 \"y'=0.1,0.2\" d=1.5,1.6 --start \"x=0.9\"",
              "x=0.9, y'=");
}

TEST(SweepReport, ATableIsToldAsOne) {
  const Folder vinculum;
  vinculum.write("t.csv", "k,d\n1,1.2\n7,1.4\n3,1.1\n");
  const Outcome o =
      vinculum("sweep m.toml --quiet --table t.csv --vary \"y'=0,1\" --keep x --report s.html", ring);
  ASSERT_EQ(o.status, 0) << o.err;
  const Json data = data_of(vinculum.read("s.html")), &s = data["study"];
  EXPECT_EQ(s["computed"], 6);
  ASSERT_EQ(s["varied"].size(), 3u);
  EXPECT_EQ(s["varied"][0]["kind"], "table");
  EXPECT_EQ(s["varied"][0]["count"], 3);
  EXPECT_EQ(s["varied"][0]["a"], 1);
  EXPECT_EQ(s["varied"][0]["b"], 7);
  EXPECT_EQ(s["points"]["varied"][0].get<std::vector<double>>(), (std::vector<double>{1, 1, 7, 7, 3, 3}));
  EXPECT_EQ(s["points"]["varied"][1].get<std::vector<double>>(),
            (std::vector<double>{1.2, 1.2, 1.4, 1.4, 1.1, 1.1}));
  EXPECT_TRUE(s["command"]["by_values"].get<bool>());
}

TEST(SweepReport, AStudyThatWasGoneOnWithHasTheSamePage) {
  const Folder vinculum;
  vinculum.write("m.toml", ring);
  for (const std::string name : {"o.h5", "o.csv"}) {
    const std::vector<std::string> words{
        "sweep",   "m.toml", "--quiet", "--vary", "k=1:9:40", "--random", "d=uniform(1.1,2)", "--count", "30",
        "--until", "100",    "--keep",  "x",      "--out",    name,       "--report",         "o.html"};
    std::string line;
    for (const std::string& word : words) line += "'" + word + "' ";
    ASSERT_EQ(vinculum(line).status, 0);
    const std::string whole = vinculum.read("o.html");
    ASSERT_EQ(vinculum.shell("rm o.html " + name).status, 0);
    Started first(vinculum, words);
    seconds(0.3);
    first.signal(SIGINT);
    EXPECT_EQ(first.wait(), 1);
    ASSERT_TRUE(vinculum.has(name + ".partial"));
    const Json part = data_of(vinculum.read("o.html"));  // what is there
    EXPECT_EQ(part["study"]["complete"], false);
    EXPECT_EQ(part["study"]["members"], 1200);
    EXPECT_LT(part["study"]["computed"], 1200);
    EXPECT_EQ(part["study"]["computed"], part["study"]["points"]["member"].size());
    EXPECT_EQ(part["motions"].size(), 0u);
    EXPECT_TRUE(has(part["study"]["told"].dump(), "interrupted"));
    ASSERT_EQ(vinculum(line + "--resume").status, 0);
    const auto without_seconds = [](Json data) {
      for (Json& m : data["motions"]) m["run"].erase("seconds");
      return data;
    };
    EXPECT_TRUE(without_seconds(data_of(whole)) == without_seconds(data_of(vinculum.read("o.html")))) << name;
    if (name == "o.csv") continue;
    // And once more from what is complete.
    ASSERT_EQ(vinculum(line + "--resume --motions 3").status, 0);
    const Json again = data_of(vinculum.read("o.html"));
    EXPECT_EQ(again["study"], data_of(whole)["study"]);
    EXPECT_EQ(again["motions"].size(), 3u);
  }
}

TEST(SweepReport, OfManyMembersPointsAreSomeAndDistributionsAreAll) {
  const Folder vinculum;
  const std::string line = R"([parameters]
a = 1
[coordinates]
x = 0
[mass]
x = 1
[forces]
x = "a"
[simulate]
until = 1
)";
  const Outcome o = vinculum(
      "sweep m.toml --quiet --random \"a=uniform(0,2)\" --count 50000 --keep x \"x'\" --report o.html "
      "--motions 2",
      line);
  ASSERT_EQ(o.status, 0) << o.err;
  const Json data = data_of(vinculum.read("o.html")), &s = data["study"];
  EXPECT_EQ(s["one_of"], 3);
  EXPECT_GE(s["points"]["member"].size(), 16'667u);
  EXPECT_LE(s["points"]["member"].size(), 16'667u + 4);
  long sum = 0;
  const Json& bins = s["kept"][1]["distribution"]["bins"];
  for (const Json& n : bins["reached"]) sum += n.get<long>();
  EXPECT_EQ(sum, 50'000);
  // x' = a: a fine bin has a known share of a uniform draw, within five deviations.
  const double share = bins["width"].get<double>() / 2;
  for (std::size_t k = 1; k + 1 < bins["reached"].size(); ++k)
    EXPECT_NEAR(bins["reached"][k].get<double>(), 50'000 * share, 5 * std::sqrt(50'000 * share)) << k;
  EXPECT_EQ(data["motions"].size(), 2u);
}

TEST(SweepReport, APlaceThatCannotBeWrittenIsRefusedBeforeAnythingIsComputed) {
  const Folder vinculum;
  vinculum.write("m.toml", ring);
  const std::map<std::string, std::string> refused{
      {"--report nowhere/a.html", "there is no folder 'nowhere'"},
      {"--report a.pdf", "the report is a page, FILE.html"},
      {"--report m.toml", "this is the model"},
      {"--out a.csv --report ./a.csv", "two results would have the same place"},
      {"--report a.html --motions -1", "--motions -1: 0 or more"},
      {"--motions 3", "--report"},
  };
  for (const auto& [words, text] : refused) {
    const Outcome o = vinculum("sweep m.toml --vary k=1,2 " + words);
    EXPECT_EQ(o.status, 2) << words;
    EXPECT_TRUE(has(o.err, text)) << words << ": " << o.err;
  }
  EXPECT_EQ(vinculum.shell("ls").out, "m.toml\n");
  const Outcome full = vinculum("sweep m.toml --vary k=1,2 --quiet --report /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_TRUE(has(full.err, "/dev/full")) << full.err;
}

}  // namespace
}  // namespace vinculum::cli_test
