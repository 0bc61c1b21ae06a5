import { Fragment, type ReactNode } from 'react'

export interface MessageProps {
  /** Sentence of a catalogue with names in braces: "Waiting, next attempt {time}". */
  readonly text: string
  /** Element for each name. */
  readonly parts: Readonly<Record<string, ReactNode>>
}

/** Sentence with elements in it, so that a catalogue has whole sentences in the word order of its language. */
export function Message({ text, parts }: MessageProps) {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>)
}
