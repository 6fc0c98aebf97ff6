// Every numbered equation, theorem, example and figure of the five papers, read off the papers. What has no
// number there has a name here.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace vinculum::cli_test {

using Numbers = std::vector<std::string>;

/// (1) to (last), and what else there is.
inline Numbers equations(int last, const Numbers& more = {}) {
  Numbers list;
  for (int i = 1; i <= last; ++i) list.push_back("(" + std::to_string(i) + ")");
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

/// By the headings that the papers have in the index.
inline const std::map<std::string, Numbers>& numbered() {
  static const std::map<std::string, Numbers> list{
      {"Udwadia and Kalaba (1996), Equations of motion for mechanical systems",
       equations(37, {"P1", "P2", "P3", "P4", "first principle", "second principle", "example 1", "example 2",
                      "example 3", "Fig. 1", "generalized coordinates", "control force"})},
      {"Kalaba, Udwadia, Xu and Itiki (1995), The equivalence of Lagrange's equations of the first kind and "
       "the "
       "generalized inverse form",
       equations(43, {"Fig. 1", "x1 = 0"})},
      {"Udwadia and Kalaba, An alternate proof by d'Alembert's principle", equations(15)},
      {"Fan, Kalaba, Natsuyama and Udwadia, Reflections on the Gauss principle of least constraint",
       equations(49, {"c in the range of A^T", "c in the null space of A"})},
      {"Jalnapurkar, The Lagrange d'Alembert equations and constraints",
       {"section 1, vertical",
        "section 1, force vector field",
        "section 1, horizontal",
        "section 1, tau*",
        "section 2, fact",
        "section 2, proposition",
        "section 2, local principle",
        "(2.1)",
        "(2.2)",
        "section 2, theorem",
        "section 2, regular L",
        "section 2, indefinite L",
        "section 2, note",
        "section 3, S and Theta",
        "section 3, example 1",
        "section 3, example 2",
        "section 3, admissible",
        "section 3, horizontal",
        "section 3, ideal",
        "affine is not ideal",
        "theorem 3.1",
        "theorem 3.2",
        "(3.1)",
        "section 3, theorem of section 2 on S",
        "theorem 3.3",
        "(3.2)",
        "section 4, action",
        "section 4, case 1",
        "section 4, case 2",
        "(5.1)",
        "(5.2)",
        "(5.3)",
        "(5.4)",
        "section 5, claim",
        "section 5, one point",
        "section 5, dimension",
        "section 5, at rest",
        "section 5, k = n - 1",
        "section 6",
        "section 6, momenta",
        "section 6, between two ends"}},
  };
  return list;
}

}  // namespace vinculum::cli_test
