import { Fragment } from 'react'

/**
 * E-mail address that wraps before its domain and after the dots before it, and only then within a part, but not at a
 * hyphen: that would look as if the hyphen had been added there. A long domain wraps before its last two labels too.
 */
export function EmailText({ children }: { readonly children: string }) {
  const isLong = children.length - children.lastIndexOf('@') > 24
  return children
    .split(isLong ? /(?=@)|(?<=\.)(?=[^@]*@|.*\.)/ : /(?=@)|(?<=\.)(?=[^@]*@)/)
    .map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a text has no other names for its parts
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part.split(/(-+[^-])/).map((piece, at) =>
          piece.startsWith('-') ? (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <span key={at} style={{ whiteSpace: 'nowrap' }}>
              {piece}
            </span>
          ) : (
            piece
          ),
        )}
      </Fragment>
    ))
}
