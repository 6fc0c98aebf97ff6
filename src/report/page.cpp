// The page is a template that web/build.mjs makes and the program carries (cmake/web.cmake); what is left
// open in it are the marks @TITLE@ and @DATA@. The data are described in web/README.md.
#include "vinculum/report/page.hpp"

#include "base/embedded.hpp"
#include "report/page_data.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {

#ifdef VINCULUM_REPORT
std::span<const EmbeddedFile> report_template();  // made by embed_files()
#endif

namespace {

std::string_view template_text() {
#ifdef VINCULUM_REPORT
  return report_template().front().bytes;
#else
  fail("this program was built without the report page; build it with -DVINCULUM_REPORT=ON");
#endif
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string page_with(std::string_view title, std::string_view data) {
  static constexpr std::string_view title_mark = "@TITLE@", data_mark = "@DATA@";
  const std::string_view whole = template_text();
  const std::size_t title_at = whole.find(title_mark), data_at = whole.find(data_mark);
  std::string result;
  result.reserve(whole.size() + data.size());
  result += whole.substr(0, title_at);
  result += escape_html(title);
  result += whole.substr(title_at + title_mark.size(), data_at - title_at - title_mark.size());
  result += data;
  result += whole.substr(data_at + data_mark.size());
  return result;
}

std::string page(const Model& model, const System& system, const View& view, const Trajectory& motion,
                 const RunRecord& record, const Comparison* comparison) {
  return page_with(record.title.empty() ? record.path : record.title,
                   page_data(model, system, view, motion, record, comparison));
}

}  // namespace vinculum
