% Reads what this command recorded:
%     vinculum run docs/tutorial/pendulum.toml --samples 201 --out results

file = fullfile('results', 'trajectory.h5');
t = h5read(file, '/time');
q = h5read(file, '/q');                       % MATLAB reverses the axes: one row per coordinate
names = string(h5readatt(file, '/q', 'names'));
x = q(names == "x", :);
F = h5read(file, '/constraint_force');
status = h5readatt(file, '/', 'status');
fprintf('%s: %d instants, x between %.6f and %.6f\n', string(status), numel(t), min(x), max(x));
fprintf('the rod pulls with %.6f to %.6f\n', min(vecnorm(F)), max(vecnorm(F)));

% The table: lines that begin with # tell how the file was made.
csv = readtable(fullfile('results', 'trajectory.csv'), 'CommentStyle', '#', ...
                'VariableNamingRule', 'preserve');
plot(csv.t, csv.("multiplier:rod"));
xlabel('t'); ylabel('multiplier of the rod');
