import {
  convertCssVariables,
  deepMerge,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'

import { cssVariablesResolver, theme } from './theme.ts'

/**
 * Returns the theme's variables as a style sheet, created by Mantine's resolver but with only the product's palettes.
 * Generated at build time, because the Content Security Policy lets no script write styles.
 */
export function themeCss(): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme)
  const ours = { ...whole, colors: { ...theme.colors } as typeof whole.colors }
  return convertCssVariables(
    deepMerge(defaultCssVariablesResolver(ours), cssVariablesResolver(ours)),
    ':root',
  )
}
