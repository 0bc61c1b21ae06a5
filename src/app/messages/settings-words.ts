import type { SettingsFault } from '../../api/settings.ts'
import { language, shellText } from '../../messages/index.ts'

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' })

export function describeSettingsFault({ place, kind, values = [] }: SettingsFault): string {
  return shellText.badSettings.faults[kind]({
    place,
    values: kind === 'notChoice' ? alternatives.format(values) : values.join(', '),
  })
}
