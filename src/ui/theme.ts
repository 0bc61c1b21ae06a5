import { IconChevronDown } from '@tabler/icons-react'
import { createElement } from 'react'
import { alpha, createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    /** The palettes of the product and its variables; any other name would paint nothing. */
    colors: Record<keyof typeof palettes | 'dimmed' | `var(--${string})`, MantineColorsTuple>
  }
}

const quick = { duration: 100, transition: 'fade' as const }

// A palette a line.
// oxfmt-ignore
const palettes = {
  gray: ['#fafafb', '#f4f4f6', '#ebebef', '#dedee4', '#cbcbd3', '#a4a4af', '#70707c', '#565661', '#38383f', '#1c1c21'],
  dark: ['#dcdce2', '#b9b9c3', '#9797a3', '#6f6f7b', '#40404a', '#34343c', '#27272d', '#18181c', '#131317', '#0d0d10'],
  indigo: ['#eff3ff', '#dfe7ff', '#c4d2fd', '#a0b6fa', '#7b97f4', '#5b7aec', '#3e5fdb', '#3450bf', '#2b429e', '#233580'],
  violet: ['#f8f1fe', '#efe1fc', '#e0c6f8', '#cba3f1', '#b57ee8', '#9d59da', '#8440c4', '#7033aa', '#5c2a8b', '#4a2270'],
  red: ['#fff1f0', '#ffe1df', '#fdc5c1', '#f99f99', '#f1746d', '#e35049', '#cf3630', '#b32b27', '#932420', '#781e1b'],
  green: ['#edf9f1', '#d9f2e1', '#b4e4c4', '#84d0a0', '#52b67a', '#319a5c', '#1f7d47', '#19683b', '#155431', '#114428'],
  yellow: ['#fff8e6', '#ffefc6', '#fde09a', '#f8cb63', '#eeb13a', '#d9941a', '#a36a05', '#875705', '#6d4606', '#573806'],
} satisfies Record<string, MantineColorsTuple>

const overlay = {
  lockScroll: false,
  overlayProps: { style: { background: 'var(--ds-backdrop)' } },
  // Mantine's <header> would be a second banner of the page.
  attributes: { header: { role: 'none' } },
}
const raised = {
  content: { background: 'var(--ds-raised)', border: '1px solid var(--ds-border-strong)' },
  header: { background: 'inherit' },
  title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 600, lineHeight: 1.5 },
}

/** Of whatever opens a list: Mantine's own points up and down. */
const chevron = createElement(IconChevronDown, { size: 14, 'aria-hidden': true })

/** Scroll lock is off everywhere, since it writes a <style>, which the page's policy forbids. */
export const theme = createTheme({
  colors: palettes,
  primaryColor: 'indigo',
  primaryShade: 6,
  black: '#16161a',
  autoContrast: false,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', var(--ds-font-family-system)",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, Menlo, Consolas, monospace",
  // Body md, tables sm.
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.4' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '1rem', lineHeight: '1.5' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
      h4: { fontSize: '0.8125rem', lineHeight: '1.4' },
      h5: { fontSize: '0.75rem', lineHeight: '1.35' },
      h6: { fontSize: '0.75rem', lineHeight: '1.35' },
    },
  },
  // A grid of 4 pixels.
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '32px' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(0 0 0 / 0.08)',
    sm: '0 1px 3px rgb(0 0 0 / 0.1), 0 2px 8px rgb(0 0 0 / 0.06)',
    md: '0 2px 6px rgb(0 0 0 / 0.08), 0 8px 24px rgb(0 0 0 / 0.12)',
    lg: '0 4px 12px rgb(0 0 0 / 0.1), 0 16px 40px rgb(0 0 0 / 0.16)',
    xl: '0 4px 12px rgb(0 0 0 / 0.1), 0 16px 40px rgb(0 0 0 / 0.16)',
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { rightSection: chevron } },
    NativeSelect: { defaultProps: { rightSection: chevron } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm' }, styles: { root: { textTransform: 'none' } } },
    Menu: { defaultProps: { transitionProps: quick, shadow: 'md', withinPortal: true } },
    Popover: { defaultProps: { transitionProps: quick, shadow: 'md' } },
    Combobox: { defaultProps: { transitionProps: quick, shadow: 'md' } },
    Tooltip: { defaultProps: { transitionProps: quick } },
    SegmentedControl: {
      defaultProps: { transitionDuration: 100, withItemsBorders: false },
      styles: { root: { height: 'var(--ds-control-height)' } },
    },
    Modal: {
      defaultProps: {
        ...overlay,
        transitionProps: quick,
        centered: true,
        padding: 20,
        radius: 'lg',
        shadow: 'lg',
      },
      styles: raised,
    },
    // A <header> at the end of the page is a second banner to screen readers.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    Drawer: { defaultProps: { ...overlay, transitionProps: { duration: 100 }, padding: 20 }, styles: raised },
  },
})

const color = (name: string) => `var(--mantine-color-${name})`

/** How the variants of a component look in each palette: darker text and clearer tints than Mantine's own. */
function variants(scheme: 'light' | 'dark'): Record<string, string> {
  const isLight = scheme === 'light'
  return Object.fromEntries(
    Object.entries(palettes).flatMap(([name, shades]) => {
      const filled = name === 'gray' ? 7 : 6
      const values = isLight
        ? {
            text: color(`${name}-7`),
            filled: color(`${name}-${filled}`),
            'filled-hover': color(`${name}-${filled + 1}`),
            light: color(`${name}-1`),
            'light-hover': color(`${name}-2`),
            'light-color': color(`${name}-8`),
            outline: color(`${name}-${filled}`),
            'outline-hover': alpha(shades[6], 0.06),
          }
        : {
            text: color(`${name}-3`),
            filled: color(`${name}-${filled}`),
            'filled-hover': color(`${name}-${name === 'gray' ? 6 : 7}`),
            light: alpha(shades[5], 0.16),
            'light-hover': alpha(shades[5], 0.24),
            'light-color': color(`${name}-2`),
            outline: color(`${name}-4`),
            'outline-hover': alpha(shades[4], 0.08),
          }
      return Object.entries(values).map(([part, value]) => [`--mantine-color-${name}-${part}`, value])
    }),
  )
}

/** What differs from Mantine's variables, and the product's own (`--ds-`), in both colour schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    // Mantine's Text asks for it, and sets it nowhere.
    '--mantine-text-wrap': 'wrap',
    '--ds-font-family-system': "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    '--ds-row-height': '36px',
    '--ds-control-height': '32px',
    '--ds-content-width': '2240px',
    '--ds-nav-width': '208px',
    '--ds-header-height': '48px',
    '--ds-focus': '2px solid var(--ds-accent)',
  },
  light: {
    ...variants('light'),
    '--mantine-color-text': color('gray-9'),
    '--mantine-color-error': color('red-7'),
    '--mantine-color-success': color('green-7'),
    '--mantine-color-placeholder': color('gray-6'),
    '--mantine-color-anchor': color('indigo-7'),
    '--mantine-color-default-hover': color('gray-1'),
    '--mantine-color-default-color': color('gray-9'),
    '--mantine-color-dimmed': '#62626d',
    '--mantine-color-disabled': color('gray-1'),
    '--ds-surface': color('gray-0'),
    '--ds-raised': '#fff',
    '--ds-border': color('gray-2'),
    '--ds-border-strong': color('gray-3'),
    '--ds-hover': color('gray-1'),
    '--ds-selected': color('indigo-0'),
    '--ds-skeleton': color('gray-2'),
    '--ds-accent': color('indigo-6'),
    '--ds-backdrop': 'rgb(20 20 26 / 0.4)',
    // The mark of everything sensitive: rows, diffs, filters. Never used for anything else.
    '--ds-sensitive': '#7a35b5',
    '--ds-sensitive-bg': '#f7effe',
    '--ds-sensitive-border': '#e2c9f7',
    '--ds-added': color('green-7'),
    '--ds-added-bg': color('green-0'),
    '--ds-changed': color('yellow-7'),
    '--ds-changed-bg': color('yellow-0'),
    '--ds-removed': color('red-7'),
    '--ds-removed-bg': color('red-0'),
  },
  dark: {
    ...variants('dark'),
    '--mantine-color-text': '#e6e6ea',
    '--mantine-color-error': color('red-3'),
    '--mantine-color-success': color('green-3'),
    '--mantine-color-placeholder': '#8b8b97',
    '--mantine-color-anchor': color('indigo-3'),
    '--mantine-color-default': '#212126',
    '--mantine-color-default-hover': color('dark-6'),
    '--mantine-color-default-color': '#e6e6ea',
    '--mantine-color-dimmed': '#a0a0ab',
    '--mantine-color-disabled': '#232328',
    '--mantine-color-disabled-border': color('dark-5'),
    '--ds-surface': color('dark-8'),
    '--ds-raised': '#202025',
    '--ds-border': '#2b2b32',
    '--ds-border-strong': '#393942',
    '--ds-hover': '#222227',
    '--ds-selected': alpha(palettes.indigo[5], 0.16),
    '--ds-skeleton': '#2a2a31',
    '--ds-accent': color('indigo-4'),
    '--ds-backdrop': 'rgb(0 0 0 / 0.6)',
    '--ds-sensitive': '#cda6f3',
    '--ds-sensitive-bg': '#2c1f3b',
    '--ds-sensitive-border': '#4d3369',
    '--ds-added': color('green-3'),
    '--ds-added-bg': '#16291e',
    '--ds-changed': color('yellow-3'),
    '--ds-changed-bg': '#2e2512',
    '--ds-removed': color('red-3'),
    '--ds-removed-bg': '#331b1a',
  },
})
