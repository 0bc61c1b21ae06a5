import { alpha, createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { createElement } from 'react'

import { hues, neutrals, palettes } from './palettes.ts'
import { ThemeButton } from './ThemeButton.tsx'

declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    /** The product's palettes and variables. Any other name would render no colour. */
    colors: Record<keyof typeof palettes | 'dimmed' | `var(--${string})`, MantineColorsTuple>
  }
}

const quick = { duration: 100, transition: 'fade' as const }

const overlay = {
  lockScroll: false,
  overlayProps: { style: { background: 'var(--ds-backdrop)' } },
  // Mantine's <header> would be a second banner landmark of the page.
  attributes: { header: { role: 'none' } },
}
const raised = {
  content: { background: 'var(--ds-raised)', border: '1px solid var(--ds-border-strong)' },
  header: { background: 'inherit' },
  title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 600, lineHeight: 1.5 },
}

/** Arrow of select controls. Mantine's own arrow points both up and down. */
const chevron = createElement(IconChevronDown, { size: 14, 'aria-hidden': true })

/** Scroll lock is off everywhere, because it writes a <style>, which the Content Security Policy forbids. */
export const theme = createTheme({
  colors: palettes,
  primaryColor: 'indigo',
  primaryShade: 6,
  black: neutrals.light[11],
  autoContrast: false,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', var(--ds-font-family-system)",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, Menlo, Consolas, monospace",
  // xs for labels, sm for tables and section headings, md for body text, lg for dialog titles, xl for page titles.
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.375rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.3' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.375rem', fontWeight: '650', lineHeight: '1.3' },
      h2: { fontSize: '0.8125rem', lineHeight: '1.4' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.4' },
      h4: { fontSize: '0.8125rem', lineHeight: '1.4' },
      h5: { fontSize: '0.75rem', lineHeight: '1.35' },
      h6: { fontSize: '0.75rem', lineHeight: '1.35' },
    },
  },
  // Spacing follows a grid of 4 pixels.
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
    Button: { defaultProps: { size: 'sm', component: ThemeButton } },
    // Typed text may be written right to left, and may be personal data: browsers store what
    // is typed into fields and suggest it to the next person.
    Input: { defaultProps: { size: 'sm', attributes: { input: { dir: 'auto', autoComplete: 'off' } } } },
    InputWrapper: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { rightSection: chevron } },
    NativeSelect: { defaultProps: { rightSection: chevron } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm' }, styles: { root: { textTransform: 'none' } } },
    Menu: {
      defaultProps: {
        transitionProps: quick,
        shadow: 'md',
        // The menu renders beside its button to stay in the same landmark. The first item gets the focus directly,
        // without a placeholder tab stop before it.
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    },
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
        radius: 'lg',
        shadow: 'lg',
      },
      styles: raised,
    },
    // Screen readers treat a <header> at the end of the page as a second banner.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    Drawer: { defaultProps: { ...overlay, transitionProps: { duration: 100 }, padding: 20 }, styles: raised },
  },
})

const color = (name: string) => `var(--mantine-color-${name})`
const neutral = (step: number) => `var(--ds-neutral-${step})`

/** Variables with their values in the light and in the dark scheme. */
type SchemeVariables = Record<string, readonly [light: string, dark: string]>

/** Returns the colours of component variants for each palette, with text of higher contrast than Mantine's own. */
function variants(): SchemeVariables {
  const all = Object.entries(palettes).map(([name, shades]): SchemeVariables => {
    const shade = (step: number) => color(`${name}-${step}`)
    const filled = name === 'gray' ? 7 : 6
    const part = `--mantine-color-${name}`
    return {
      [`${part}-text`]: [shade(7), shade(3)],
      [`${part}-filled`]: [shade(filled), shade(filled)],
      [`${part}-filled-hover`]: [shade(filled + 1), shade(name === 'gray' ? 6 : 7)],
      [`${part}-light`]: [shade(1), alpha(shades[5], 0.16)],
      [`${part}-light-hover`]: [shade(2), alpha(shades[5], 0.24)],
      [`${part}-light-color`]: [shade(8), shade(2)],
      [`${part}-outline`]: [shade(filled), shade(4)],
      [`${part}-outline-hover`]: [alpha(shades[6], 0.06), alpha(shades[4], 0.08)],
    }
  })
  return Object.fromEntries(all.flatMap(Object.entries<SchemeVariables[string]>))
}

function huesAndNeutrals(): SchemeVariables {
  return Object.fromEntries([
    ...neutrals.light.map((light, index) => [`--ds-neutral-${index + 1}`, [light, neutrals.dark[index]]]),
    ...hues.flatMap(([lightGround, light, darkGround, dark], index) => [
      [`--ds-hue-${index}-bg`, [lightGround, darkGround]],
      [`--ds-hue-${index}`, [light, dark]],
    ]),
  ])
}

// A function, so that it is dropped from the console's bundle: only the build calls it.
const schemeColors = (): SchemeVariables => ({
  '--mantine-color-body': [neutral(1), neutral(2)],
  '--mantine-color-text': [neutral(12), neutral(12)],
  '--mantine-color-error': [color('red-7'), color('red-3')],
  '--mantine-color-success': [color('green-7'), color('green-3')],
  '--mantine-color-placeholder': [neutral(10), neutral(10)],
  '--mantine-color-anchor': [color('indigo-7'), color('indigo-3')],
  '--mantine-color-default-hover': [neutral(3), neutral(5)],
  '--mantine-color-default-color': [neutral(12), neutral(12)],
  '--mantine-color-dimmed': [neutral(11), neutral(11)],
  '--mantine-color-disabled': [neutral(3), neutral(4)],
  '--ds-surface': [neutral(2), neutral(1)],
  '--ds-raised': ['#fff', neutral(3)],
  '--ds-border': [neutral(5), neutral(5)],
  '--ds-border-strong': [neutral(6), neutral(7)],
  '--ds-hover': [neutral(3), neutral(4)],
  '--ds-selected': [color('indigo-0'), alpha(palettes.indigo[5], 0.16)],
  '--ds-skeleton': [neutral(5), neutral(5)],
  '--ds-accent': [color('indigo-6'), color('indigo-4')],
  '--ds-backdrop': ['rgb(20 20 26 / 0.4)', 'rgb(0 0 0 / 0.6)'],
  // Colour of the page with the backdrop over it.
  '--ds-dimmed-page': [
    'color-mix(in srgb, var(--mantine-color-body) 60%, rgb(20 20 26))',
    'color-mix(in srgb, var(--mantine-color-body) 40%, #000)',
  ],
  // Marks everything sensitive: rows, diffs, filters. Never used for anything else.
  '--ds-sensitive': ['#7a35b5', '#cda6f3'],
  '--ds-sensitive-bg': ['#f7effe', '#2c1f3b'],
  '--ds-sensitive-hover': ['#f1e3fd', '#36264a'],
  '--ds-sensitive-border': ['#e2c9f7', '#4d3369'],
  '--ds-sensitive-hatch': ['#c69bea', '#8a5cb8'],
  '--ds-added': [color('green-7'), color('green-3')],
  '--ds-added-bg': [color('green-0'), '#16291e'],
  '--ds-changed': [color('yellow-7'), color('yellow-3')],
  '--ds-changed-bg': [color('yellow-0'), '#2e2512'],
  '--ds-removed': [color('red-7'), color('red-3')],
  '--ds-removed-bg': [color('red-0'), '#331b1a'],
})

function variablesOf(scheme: 'light' | 'dark'): Record<string, string> {
  const all = Object.entries({ ...variants(), ...huesAndNeutrals(), ...schemeColors() })
  return Object.fromEntries(all.map(([name, [light, dark]]) => [name, scheme === 'light' ? light : dark]))
}

/** Returns the overrides of Mantine's variables and the product's own variables (`--ds-`), for both colour schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    // Mantine's Text uses this variable without ever setting it.
    '--mantine-text-wrap': 'wrap',
    '--ds-font-family-system': "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    '--ds-row-height': '36px',
    '--ds-control-height': '32px',
    '--ds-content-width': '2240px',
    '--ds-nav-width': '208px',
    '--ds-header-height': '48px',
    '--ds-focus': '2px solid var(--ds-accent)',
    // Room that a box which cuts long texts leaves the ring of a link in it.
    '--ds-ring-margin': '5px',
  },
  light: variablesOf('light'),
  dark: {
    ...variablesOf('dark'),
    '--mantine-color-default': neutral(3),
    '--mantine-color-disabled-border': neutral(6),
  },
})
