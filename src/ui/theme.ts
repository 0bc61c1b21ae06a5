import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/Button.layer.css'
import './tokens.css'
import './fonts.css'
import './base.css'

import { createTheme, type MantineColorsTuple } from '@mantine/core'

declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    /** The palettes that tokens.css has; any other name would paint nothing. */
    colors: Record<'dark' | 'gray' | 'indigo' | 'violet' | 'red' | 'green' | 'yellow', MantineColorsTuple>
  }
}

const quick = { duration: 100, transition: 'fade' as const }

/**
 * Values live in tokens.css; here is only what Mantine's components take as props. Scroll lock is off everywhere:
 * it writes a <style>, which the page's policy forbids.
 */
export const theme = createTheme({
  primaryColor: 'indigo',
  autoContrast: false,
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'md',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { defaultProps: { size: 'sm' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm' }, styles: { root: { textTransform: 'none' } } },
    Menu: { defaultProps: { transitionProps: quick, shadow: 'md', withinPortal: true } },
    Popover: { defaultProps: { transitionProps: quick, shadow: 'md' } },
    Combobox: { defaultProps: { transitionProps: quick, shadow: 'md' } },
    Tooltip: { defaultProps: { transitionProps: quick } },
    Modal: { defaultProps: { lockScroll: false, transitionProps: quick } },
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 100 } } },
  },
})
