/** Texts of what a value in another spelling may mean. */
export const readingTexts = {
  meant: 'Did you mean',
  take: (text: string, label: string) => `Use ${text}: ${label}`,
}
