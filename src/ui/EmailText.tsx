import { Fragment } from 'react'

/** An e-mail that breaks before its domain and behind the points of its first part, and inside a word only where that alone has no room. */
export function EmailText({ children }: { readonly children: string }) {
  return children.split(/(?=@)|(?<=\.)(?=[^@]*@)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a text has no other names for its parts
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
