/** Keeps personal data from the browser's form history, its spelling service and password managers. */
export const noAutofill = {
  autoComplete: 'off',
  spellCheck: false,
  autoCorrect: 'off',
  autoCapitalize: 'off',
} as const
