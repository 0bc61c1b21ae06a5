import {
  convertCssVariables,
  deepMerge,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'

import { cssVariablesResolver, theme } from './theme.ts'

/**
 * The theme's variables as a style sheet, by Mantine's own resolver, with the palettes of the product alone. Made where
 * the console is built, since the page's policy lets no script write styles.
 */
export function themeCss(): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme)
  const ours = { ...whole, colors: { ...theme.colors } as typeof whole.colors }
  return convertCssVariables(
    deepMerge(defaultCssVariablesResolver(ours), cssVariablesResolver(ours)),
    ':root',
  )
}
