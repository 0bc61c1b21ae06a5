import { Button, Group, Text } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { entityType, type KnownKey } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { typingPauseMs } from '../../../domain/definitions/use-definitions.ts'
import { typeLabel, typeWithin } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { keysOf, keysQuery } from '../../../domain/queries/keys.ts'
import { nothingToLose } from '../../../domain/writing/unsaved.tsx'
import { entityText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { newEntityDraft } from '../draft/entity-draft.ts'
import { EntityForm } from './EntityForm.tsx'
import type { TemplatesProps } from './PropertyList.tsx'

export function NewEntityPage() {
  const { userId = '' } = useParams()
  const [start] = useState(newEntityDraft)
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = { replace: true, state: nothingToLose }
  return (
    <EntityForm
      place={{ userId }}
      start={start}
      name={entityText.newTitle}
      head={
        <Text component="h2" size="sm" fw={600} pb="xs">
          {entityText.newTitle}
        </Text>
      }
      Templates={Templates}
      onSaved={(entity) => {
        showToast({ message: entityText.created({ type: typeLabel(entity.type) }) })
        void navigate(links.entity(userId, entity.id), leave)
      }}
      onReadAgain={async (id) => {
        await client.query({ ...entitiesQuery(userId), staleTime: 0 })
        await navigate(id === undefined ? links.user(userId) : links.entity(userId, id), leave)
      }}
      onCancel={() => void navigate(links.user(userId))}
    />
  )
}

/** Offers initial rows: the keys of the user's last entity of the type, or all known keys of the type. */
function Templates({ type: typed, onChoose }: TemplatesProps) {
  const { userId = '' } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const type = useDebouncedValue(typed, typingPauseMs)
  const [chosen, setChosen] = useState<{ readonly type: string; readonly count: number }>()
  const cannotMark = useDenied('sensitive:write') !== undefined
  const isNamed = type === typed && entityType.safeParse(type).success
  const { data } = useQuery({ ...keysQuery(type), enabled: isNamed })
  // One row per key, even if it occurs with several types. Keys that the caller could not save are left out.
  const rowsOf = (keys: readonly KnownKey[]) =>
    [...new Map(keys.toReversed().map((each) => [each.key, each])).values()]
      .toReversed()
      .filter(({ sensitive }) => !(cannotMark && sensitive === true))
  const last = all.findLast((entity) => entity.type === type)
  const own = rowsOf(keysOf(last ? [last] : []))
  const known = rowsOf(data ?? [])
  const isMore = known.some(({ key }) => !own.some((each) => each.key === key))
  const offers = [
    {
      label: entityText.template.last({ type: typeWithin(type), count: own.length }),
      keys: own,
      isUseful: own.length > 0,
    },
    {
      label: entityText.template.known({ type: typeWithin(type), count: known.length }),
      keys: known,
      isUseful: isMore,
    },
  ].filter(({ isUseful }) => isNamed && isUseful)
  const isOffered = offers.length > 0
  return (
    <Group gap="6px 8px" mih={38} pt={4} pb="xs">
      <Text span size="xs" c="dimmed">
        {isOffered
          ? entityText.template.label
          : isNamed && data
            ? entityText.template.none({ type: typeWithin(type) })
            : entityText.template.hint}
      </Text>
      {offers.map(({ label, keys }) => (
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          leftSection={<IconCopyPlus size={14} aria-hidden />}
          onClick={() => {
            onChoose(keys)
            setChosen({ type, count: keys.length })
          }}
        >
          {label}
        </Button>
      ))}
      <Text span size="xs" c="dimmed">
        <Announced>{chosen?.type === type && entityText.template.chosen({ count: chosen.count })}</Announced>
      </Text>
    </Group>
  )
}
