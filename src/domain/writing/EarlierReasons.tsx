import { Autocomplete, type AutocompleteProps } from '@mantine/core'

/** A line of text that offers what was written there before; the list is above it, where no button is. */
export function EarlierReasons(props: AutocompleteProps) {
  return <Autocomplete {...props} comboboxProps={{ position: 'top' }} />
}
