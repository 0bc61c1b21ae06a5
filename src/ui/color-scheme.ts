import { useMantineColorScheme } from '@mantine/core'

/** Transitions stay on: switching them off would take a `<style>`, which the page's policy forbids. */
export const useColorScheme = () => useMantineColorScheme({ keepTransitions: true })
