import { Anchor } from '@mantine/core'

import { version } from '../../package.json'
import { connected } from '../api/connection.ts'
import { keysText, shellText } from '../messages/index.ts'
import { showKeys } from './keys/Keys.tsx'
import { useSettings } from '../domain/settings-context.ts'
import classes from './Shell.module.css'

export function ShellFoot({ onFollow }: { readonly onFollow?: () => void }) {
  const { environment, apiUrl } = useSettings()
  const { features } = connected()
  return (
    <footer className={classes.foot}>
      <Anchor
        component="button"
        type="button"
        onClick={() => {
          onFollow?.()
          document.dispatchEvent(new Event(showKeys))
        }}
      >
        {keysText.title}
      </Anchor>
      {/* For a service without additions, the address of its API description is unknown. */}
      {Object.keys(features).length > 0 && (
        <Anchor href={`${apiUrl}/docs`} target="_blank" rel="noreferrer">
          {shellText.foot.api}
        </Anchor>
      )}
      <span>
        {environment && `${environment.name} · `}
        {shellText.foot.version({ version })}
      </span>
    </footer>
  )
}
