import type { MantineColorsTuple } from '@mantine/core'

/**
 * Neutral colours, from background to text, tinted with the product's blue: 1 page, 2 background beside it, 3 hover, 4
 * pressed, 5 and 6 rules, 7 borders of controls, 8 the same on hover, 9 marks (contrast 3 : 1 on 1 to 3), 10
 * placeholder text, 11 muted text, 12 text (both 4.5 : 1 on 1 to 5). In the dark scheme, 1 and 2 change places, 3 is
 * for raised surfaces, and 4 is hover.
 */
// oxfmt-ignore
export const neutrals = {
  light: [
    '#fdfdfe', '#f7f9fc', '#f2f3f8', '#eaedf2', '#e2e5ec', '#d9dde5',
    '#cbcfda', '#b0b6c2', '#7e8494', '#666d7d', '#535968', '#191e2a',
  ],
  dark: [
    '#0c0e13', '#11141a', '#171a21', '#1c2028', '#222630', '#2a2e39',
    '#353a47', '#484e5d', '#6c7384', '#838999', '#a3a9b8', '#e7e9ee',
  ],
} as const

// One palette per line. Most colours of Mantine's neutral palettes, `gray` and `dark`, are those above.
// oxfmt-ignore
export const palettes = {
  gray: ['#f7f9fc', '#f2f3f8', '#e2e5ec', '#d9dde5', '#cbcfda', '#7e8494', '#666d7d', '#535968', '#363c4a', '#191e2a'],
  dark: ['#e7e9ee', '#c6cad5', '#a3a9b8', '#6c7384', '#353a47', '#2a2e39', '#1c2028', '#11141a', '#0c0e13', '#08090d'],
  indigo: ['#eff3ff', '#dfe7ff', '#c4d2fd', '#a0b6fa', '#7b97f4', '#5b7aec', '#3e5fdb', '#3450bf', '#2b429e', '#233580'],
  violet: ['#f8f1fe', '#efe1fc', '#e0c6f8', '#cba3f1', '#b57ee8', '#9d59da', '#8440c4', '#7033aa', '#5c2a8b', '#4a2270'],
  red: ['#fff1f0', '#ffe1df', '#fdc5c1', '#f99f99', '#f1746d', '#e35049', '#cf3630', '#b32b27', '#932420', '#781e1b'],
  green: ['#edf9f1', '#d9f2e1', '#b4e4c4', '#84d0a0', '#52b67a', '#319a5c', '#1f7d47', '#19683b', '#155431', '#114428'],
  yellow: ['#fff8e6', '#ffefc6', '#fde09a', '#f8cb63', '#eeb13a', '#d9941a', '#a36a05', '#875705', '#6d4606', '#573806'],
} satisfies Record<string, MantineColorsTuple>

/**
 * Hues for people's initials: muted, and distinct from the violet of sensitive values and from state colours. Each has
 * background and letters for light, then background and letters for dark.
 */
export const hues = [
  ['#fedede', '#733e42', '#4b2d2f', '#f3c3c5'],
  ['#fbe0d1', '#704328', '#4a3021', '#f0c7b1'],
  ['#f1e5cc', '#634c17', '#41351a', '#e2cfa8'],
  ['#deecd3', '#42582a', '#2f3b22', '#c5d9b3'],
  ['#d0eee2', '#185d49', '#1c3e33', '#aeddcb'],
  ['#ccedf4', '#005b66', '#163d43', '#a8dbe5'],
  ['#d5e9fe', '#2d5277', '#24384d', '#b6d5f4'],
  ['#f9ddec', '#6d3e59', '#472d3c', '#edc3d9'],
] as const

export const hueCount = hues.length
