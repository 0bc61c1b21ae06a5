import { keyLabel } from '../../domain/values/key-label.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { importCheckText } from '../../messages/index.ts'
import { Note } from './layout.tsx'
import type { Target } from './mapping.ts'

/** Lists the properties that will be written and says who will be able to read them. */
export function PropertiesNote({ targets }: { readonly targets: readonly Target[] }) {
  const properties = targets.filter((target) => target.to === 'property')
  const labels = (sensitive: boolean) =>
    properties.filter((property) => property.sensitive === sensitive).map(({ key }) => keyLabel(key))
  const [hidden, readable] = [labels(true), labels(false)]
  return (
    <>
      {hidden.length > 0 && (
        <Note>
          <SensitiveMark /> {importCheckText.hidden({ properties: hidden.join(', ') })}
        </Note>
      )}
      {readable.length > 0 && <Note>{importCheckText.readable({ properties: readable.join(', ') })}</Note>}
    </>
  )
}
