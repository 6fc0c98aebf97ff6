// A small calculator for matrices written as in the papers: "M^1/2 (A M^-1/2)^+ e". It shares no code with
// the program, so that what it finds is a second witness of the program's numbers.
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace vinculum::cli_test {

using Matrix = Eigen::MatrixXd;

/// The Moore-Penrose inverse V S^-1 U^T by singular values, P1 of the 1996 paper. Values below 1e-10 of the
/// largest count as zero, as they do for the program.
inline Matrix pseudo_inverse(const Matrix& m) {
  const Eigen::JacobiSVD<Matrix> svd(m, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::VectorXd s = svd.singularValues();
  const double limit = s.size() == 0 ? 0 : 1e-10 * s[0];
  for (double& x : s) x = x > limit ? 1 / x : 0;
  return svd.matrixV() * s.asDiagonal() * svd.matrixU().transpose();
}

/// M^p of a symmetric matrix without zero eigenvalue.
inline Matrix symmetric_power(const Matrix& m, double p) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(m);
  return eigen.eigenvectors() * eigen.eigenvalues().array().pow(p).matrix().asDiagonal() *
         eigen.eigenvectors().transpose();
}

/// Names with the text that defines them; a value is computed where it is asked for, so that the order of
/// definitions does not matter. What begins with a dot, `.multipliers.values`, is asked of `path`.
class Calculator {
 public:
  std::map<std::string, std::string> text;
  std::function<Matrix(const std::string&)> path;

  Matrix operator()(const std::string& formula) const {
    if (++depth_ > 50) throw std::runtime_error("a circle of definitions: " + formula);
    Reader reader{*this, formula};
    Matrix value = reader.sum();
    if (reader.next() != '\0') reader.fail();
    --depth_;
    return value;
  }

 private:
  mutable int depth_ = 0;

  /// Sums of products of powers; a product needs no sign: `A M^-1 F`.
  struct Reader {
    const Calculator& calculator;
    const std::string& s;
    std::size_t at = 0;

    [[noreturn]] void fail() const {
      throw std::runtime_error("cannot read '" + s + "' at '" + s.substr(std::min(at, s.size())) + "'");
    }
    char next() {
      while (at < s.size() && s[at] == ' ') ++at;
      return at < s.size() ? s[at] : '\0';
    }
    bool accept(char c) {
      if (next() != c) return false;
      ++at;
      return true;
    }
    void expect(char c) {
      if (!accept(c)) fail();
    }
    static bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
    static bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
    bool operand_follows() {
      const char c = next();
      return letter(c) || digit(c) || c == '(' || c == '[' || c == '.';
    }

    Matrix sum() {
      const bool minus = accept('-');
      Matrix value = product();
      if (minus) value = -value;
      for (;;) {
        if (accept('+'))
          value = added(value, product());
        else if (accept('-'))
          value = added(value, -product());
        else
          return value;
      }
    }
    Matrix added(const Matrix& a, const Matrix& b) const {
      if (a.rows() != b.rows() || a.cols() != b.cols()) fail();
      return a + b;
    }
    Matrix product() {
      Matrix value = power();
      for (;;) {
        if (accept('/')) {
          value /= scalar(power());
        } else if (accept('*') || operand_follows()) {
          const Matrix other = power();
          if (value.size() == 1)
            value = other * value(0);
          else if (other.size() == 1)
            value = value * other(0);
          else if (value.cols() == other.rows())
            value = Matrix(value * other);
          else
            fail();
        } else {
          return value;
        }
      }
    }
    double scalar(const Matrix& m) const {
      if (m.size() != 1) fail();
      return m(0);
    }
    Matrix power() {
      Matrix value = primary();
      while (accept('^')) {
        if (accept('T')) {
          value = Matrix(value.transpose());
        } else if (accept('+')) {
          value = pseudo_inverse(value);
        } else {
          const double sign = accept('-') ? -1 : 1;
          if (!digit(next())) fail();
          double p = number();
          if (p == 1 && s.compare(at, 2, "/2") == 0) at += 2, p = 0.5;
          value = raised(value, sign * p);
        }
      }
      return value;
    }
    Matrix raised(const Matrix& m, double p) const {
      if (m.size() == 1) return Matrix::Constant(1, 1, std::pow(m(0), p));
      if (m.rows() != m.cols()) fail();
      if (p == -1) return m.inverse();
      if (!m.isApprox(m.transpose())) fail();
      return symmetric_power(m, p);
    }
    double number() {
      std::size_t length = 0;
      const double value = std::stod(s.substr(at), &length);
      at += length;
      return value;
    }
    Matrix primary() {
      const char c = next();
      if (accept('(')) {
        Matrix value = sum();
        expect(')');
        return value;
      }
      if (c == '[') return rows();
      if (c == '.' && at + 1 < s.size() && !digit(s[at + 1])) return calculator.path(path_text());
      if (digit(c) || c == '.') return Matrix::Constant(1, 1, number());
      if (letter(c)) return named();
      fail();
    }
    /// `[a, b; c, d]`; entries may be matrices themselves.
    Matrix rows() {
      expect('[');
      Matrix value;
      do {
        Matrix row = sum();
        while (accept(',')) {
          const Matrix other = sum();
          if (other.rows() != row.rows()) fail();
          Matrix wider(row.rows(), row.cols() + other.cols());
          wider << row, other;
          row = wider;
        }
        if (value.size() != 0 && value.cols() != row.cols()) fail();
        Matrix higher(value.rows() + row.rows(), row.cols());
        if (value.size() == 0)
          higher = row;
        else
          higher << value, row;
        value = higher;
      } while (accept(';'));
      expect(']');
      return value;
    }
    /// `.a.b[0]`, `.list[].key`, `.values."a name"`.
    std::string path_text() {
      const std::size_t begin = at;
      for (int depth = 0; at < s.size(); ++at) {
        if (s[at] == '"') {
          at = s.find('"', at + 1);
          if (at == s.npos) fail();
        } else if (s[at] == '[') {
          ++depth;
        } else if (s[at] == ']') {
          if (--depth < 0) break;  // it closes a matrix around the path
        } else if (!letter(s[at]) && !digit(s[at]) && s[at] != '.') {
          break;
        }
      }
      return s.substr(begin, at - begin);
    }
    Matrix named() {
      const std::size_t begin = at;
      while (at < s.size() && (letter(s[at]) || digit(s[at]) || s[at] == '\'')) ++at;
      const std::string name = s.substr(begin, at - begin);
      if (at < s.size() && s[at] == '(' && name.size() > 1) return function(name);
      if (name == "I" && accept('(')) {
        const auto n = static_cast<Eigen::Index>(scalar(sum()));
        expect(')');
        return Matrix::Identity(n, n);
      }
      if (name == "true" || name == "false") return Matrix::Constant(1, 1, name == "true");
      if (name == "pi") return Matrix::Constant(1, 1, std::acos(-1.0));
      const auto found = calculator.text.find(name);
      if (found == calculator.text.end()) throw std::runtime_error("'" + name + "' is not given: " + s);
      return calculator(found->second);
    }
    /// The arithmetic-geometric mean: elliptic integrals by Gauss's own hand.
    static double mean(double x, double y) {
      for (int k = 0; k < 60; ++k) {
        const double arithmetic = (x + y) / 2;
        y = std::sqrt(x * y);
        x = arithmetic;
      }
      return x;
    }
    Matrix function(const std::string& name) {
      expect('(');
      const Matrix x = sum();
      expect(')');
      const auto of = [](double value) { return Matrix::Constant(1, 1, value); };
      if (name == "diag") return Matrix(x.reshaped().asDiagonal());
      if (name == "rank") return of(static_cast<double>((pseudo_inverse(x) * x).trace()));
      if (name == "norm") return of(x.norm());
      if (name == "rows") return of(static_cast<double>(x.rows()));
      if (name == "sin") return of(std::sin(scalar(x)));
      if (name == "cos") return of(std::cos(scalar(x)));
      if (name == "asin") return of(std::asin(scalar(x)));
      if (name == "sqrt") return of(std::sqrt(scalar(x)));
      if (name == "agm") return of(mean(1, scalar(x)));
      throw std::runtime_error("no function '" + name + "': " + s);
    }
  };
};

}  // namespace vinculum::cli_test
