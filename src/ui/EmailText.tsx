import { Fragment } from 'react'

/** E-mail address that wraps before its domain and after the dots before it, and only then within a part. */
export function EmailText({ children }: { readonly children: string }) {
  return children.split(/(?=@)|(?<=\.)(?=[^@]*@)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a text has no other names for its parts
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
