import type { Attempt } from '#contract/index.ts'
import { attemptText } from '../../messages/index.ts'
import classes from './AttemptDetail.module.css'

/** What a try sent and what was answered, behind a press; nothing where the service keeps neither, or does not show them. */
export function AttemptDetail({ attempt: { request, response } }: { readonly attempt: Attempt }) {
  if (!request && !response) return null
  return (
    <details className={classes.root}>
      <summary>{attemptText.detail}</summary>
      {request && (
        <>
          <h4>{attemptText.request}</h4>
          <Headers headers={request.headers} />
        </>
      )}
      {response && (
        <>
          <h4>{attemptText.response}</h4>
          <Headers headers={response.headers} />
          {response.body === '' ? (
            <p className="ds-dimmed">{attemptText.noBody}</p>
          ) : (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            <pre className={classes.body} tabIndex={0} aria-label={attemptText.body}>
              {response.body}
            </pre>
          )}
          {response.truncated === true && <p className="ds-dimmed">{attemptText.truncated}</p>}
        </>
      )}
    </details>
  )
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <dl className={classes.headers}>
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
