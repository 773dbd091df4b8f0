// ESLint rules for the page's scripts and the browser tests, beyond TypeScript's checks.

import js from '@eslint/js';

/** Ways from a text to HTML: no text of a trace may go one. */
const MARKUP = [
  'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|srcdoc)$/]',
  'CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe|parseFromString|createContextualFragment)$/]',
  'CallExpression[callee.object.name="document"][callee.property.name=/^write/]',
];

/** Rules of all scripts. @type {import('eslint').Linter.RulesRecord} */
const rules = {
  // TypeScript knows better what is defined.
  'no-undef': 'off',
  'no-unused-vars': [
    'error',
    {argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true, caughtErrors: 'none'},
  ],

  // Likely mistakes.
  'array-callback-return': 'error',
  'default-case-last': 'error',
  'no-constructor-return': 'error',
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-labels': 'error',
  'no-new-func': 'error',
  'no-self-compare': 'error',
  'no-template-curly-in-string': 'error',
  'no-unreachable-loop': 'error',
  'no-use-before-define': ['error', {functions: false, classes: false, variables: false}],
  'no-useless-assignment': 'error',
  eqeqeq: 'error',
  radix: 'error',

  // One way to say it.
  'dot-notation': 'error',
  'grouped-accessor-pairs': 'error',
  'logical-assignment-operators': 'error',
  'no-duplicate-imports': 'error',
  'no-else-return': 'error',
  'no-implicit-coercion': 'error',
  'no-lonely-if': 'error',
  'no-unneeded-ternary': 'error',
  'no-useless-computed-key': 'error',
  'no-useless-concat': 'error',
  'no-useless-rename': 'error',
  'no-useless-return': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-arrow-callback': 'error',
  'prefer-const': ['error', {destructuring: 'all'}],
  'prefer-object-has-own': 'error',
  'prefer-object-spread': 'error',
  'prefer-regex-literals': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'prefer-template': 'error',
  'sort-imports': ['error', {ignoreDeclarationSort: true}],
  'symbol-description': 'error',
  yoda: 'error',
};

/** Rules of what runs in the page. @type {import('eslint').Linter.RulesRecord} */
const pageRules = {
  complexity: ['error', 26],
  'no-alert': 'error',
  'no-console': 'error',
  'no-param-reassign': 'error',
  'no-restricted-syntax': ['error', ...MARKUP.map((selector) => ({selector, message: 'A text never becomes HTML; dom.js makes elements'}))],
  'no-script-url': 'error',
};

export default [
  {ignores: ['**/node_modules/**']},
  js.configs.recommended,
  {rules, linterOptions: {reportUnusedDisableDirectives: 'error'}},
  {files: ['www/**'], rules: pageRules},
];
