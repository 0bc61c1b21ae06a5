/**
 * For inputs of personal data, and of what is looked for among it: nothing for the browser's form history, its spelling
 * service or password managers.
 */
export const noAutofill = {
  autoComplete: 'off',
  spellCheck: false,
  autoCorrect: 'off',
  autoCapitalize: 'off',
} as const
