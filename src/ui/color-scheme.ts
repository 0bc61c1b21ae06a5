import { useMantineColorScheme } from '@mantine/core'

/**
 * Returns the colour scheme and its setter. Transitions stay on during a change: switching them off would take a
 * `<style>`, which the page's policy forbids.
 */
export const useColorScheme = () => useMantineColorScheme({ keepTransitions: true })
