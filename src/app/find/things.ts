import { IconChartPie, IconUser } from '@tabler/icons-react'

import { type Segment, unknownEmail, unknownName, type User } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { matchedValue } from '../../domain/people/matched-value.ts'
import { findText } from '../../messages/index.ts'
import type { Option } from './option.ts'

export function userOption(
  user: Pick<User, 'id' | 'name' | 'email'> & { readonly ref?: User['ref'] },
): Option {
  const { id, name, email, ref } = user
  const isNamed = name != null && name !== '' && name !== unknownName
  return {
    id: `user ${id}`,
    icon: IconUser,
    avatar: { id, name: isNamed ? name : undefined },
    label: isNamed ? name : findText.noName,
    nameless: !isNamed,
    details: [email === unknownEmail ? '' : (email ?? ''), ref ?? '', matchedValue(user) ?? ''].filter(
      (detail) => detail !== '',
    ),
    to: links.user(id),
  }
}

export function segmentOption({
  id,
  name,
  description,
}: Pick<Segment, 'id' | 'name' | 'description'>): Option {
  return {
    id: `segment ${id}`,
    icon: IconChartPie,
    label: name ?? findText.namelessSegment,
    nameless: name == null,
    details: description == null || description === '' ? [] : [description],
    to: links.segment(id),
  }
}
