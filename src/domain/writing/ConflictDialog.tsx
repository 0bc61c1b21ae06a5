import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'

import { usePerson } from '../../auth/use-session.ts'
import { conflictText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './ConflictDialog.module.css'

/** Side of a conflict: this edit, or the one that was saved before it. */
export type Side = 'mine' | 'theirs'
export type Choices = ReadonlyMap<string, Side>

/** Value that both edits changed. */
export interface Question {
  readonly id: string
  readonly legend: ReactNode
  readonly mine: ReactNode
  readonly theirs: ReactNode
  /** Common base value of both edits. */
  readonly before: ReactNode
  /** Author and time of the other change, if the service provides them. */
  readonly writer?: { readonly actor: string; readonly time: string } | null | undefined
}

export interface ConflictDialogProps {
  readonly title: string
  readonly questions: readonly Question[]
  /** Server state that the choices are based on. If it changes again, the choices are reset. */
  readonly on: unknown
  /** Names of the fields that only the other edit changed, and of those that only this one changed. */
  readonly takenOver?: readonly string[]
  readonly alsoSent?: readonly string[]
  /** Whether the choices leave nothing of this edit to save. */
  readonly keepsTheirs?: (choices: Choices) => boolean
  readonly pending?: boolean
  readonly children?: ReactNode
  readonly onSave: (choices: Choices) => void
  /** Returns to the form, which still holds all input. */
  readonly onClose: () => void
}

const sides = ['mine', 'theirs'] as const
const noChoices: Choices = new Map()

/** Dialog that shows conflicting changes side by side. Nothing is sent until each is decided. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { title, questions, on, takenOver = [], alsoSent = [], pending = false, children } = props
  const [made, setMade] = useState({ on, choices: noChoices })
  const choices = made.on === on ? made.choices : noChoices
  const choose = (more: Iterable<readonly [string, Side]>) =>
    setMade({ on, choices: new Map([...choices, ...more]) })
  const isDecided = questions.every(({ id }) => choices.has(id))
  return (
    <Dialog
      width={640}
      title={title}
      onClose={props.onClose}
      back={conflictText.cancel}
      isBusy={pending}
      actions={
        <Button onClick={() => props.onSave(choices)} disabled={!isDecided} loading={pending}>
          {isDecided && props.keepsTheirs?.(choices) === true ? conflictText.keepTheirs : conflictText.save}
        </Button>
      }
    >
      <p>{conflictText.body}</p>
      {questions.length > 2 && (
        <Group gap="xs">
          {sides.map((side) => (
            <Button
              key={side}
              size="compact-sm"
              variant="default"
              onClick={() => choose(questions.map(({ id }) => [id, side]))}
            >
              {side === 'mine' ? conflictText.allMine : conflictText.allTheirs}
            </Button>
          ))}
        </Group>
      )}
      {questions.length > 0 && (
        <Stack gap="md" p={4} m={-4} className={classes.scroll}>
          {questions.map((question) => (
            <SideChoice
              key={question.id}
              question={question}
              chosen={choices.get(question.id)}
              onChoose={(side) => choose([[question.id, side]])}
              onEnter={() => {
                if (isDecided && !pending) props.onSave(choices)
              }}
            />
          ))}
        </Stack>
      )}
      {takenOver.length > 0 && (
        <ConflictNote>{conflictText.takenOver({ names: listNames(takenOver) })}</ConflictNote>
      )}
      {alsoSent.length > 0 && (
        <ConflictNote>{conflictText.alsoSent({ names: listNames(alsoSent) })}</ConflictNote>
      )}
      {children}
    </Dialog>
  )
}

function ConflictNote({ children }: { readonly children: ReactNode }) {
  return (
    <Text component="div" size="sm" c="dimmed">
      {children}
    </Text>
  )
}

/** Says who made the other change, and when: a colleague, or this person in another tab. */
export function WrittenBy({ writer }: { readonly writer: NonNullable<Question['writer']> }) {
  const { actor, time } = writer
  const isOwn = usePerson().subject === actor
  const words = { time: <Timestamp value={time} /> }
  return isOwn
    ? conflictText.ownWriter.withElements(words)
    : conflictText.writer.withElements({ actor, ...words })
}

interface SideChoiceProps {
  readonly question: Question
  readonly chosen: Side | undefined
  readonly onChoose: (side: Side) => void
  /** Confirms the dialog, as Enter does in a form. */
  readonly onEnter: () => void
}

/** Choice between two values, with neither selected initially. */
function SideChoice({ question, chosen, onChoose, onEnter }: SideChoiceProps) {
  const name = useId()
  const { legend, before, writer } = question
  return (
    <fieldset className={classes.choice}>
      <Text component="legend" size="sm" fw={600} p="0 0 4px">
        {legend}
      </Text>
      <div className={classes.sides}>
        {sides.map((side) => (
          <label key={side} className={classes.side}>
            <input
              type="radio"
              name={name}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.repeat) onEnter()
              }}
              data-autofocus
            />
            <Text span size="xs" c="dimmed">
              {conflictText[side]}
            </Text>{' '}
            <span>{question[side]}</span>
          </label>
        ))}
      </div>
      <ConflictNote>
        <Group gap={4} align="flex-start" wrap="nowrap">
          {conflictText.before.withElements({ value: before })}
        </Group>
        {writer && (
          <div>
            <WrittenBy writer={writer} />
          </div>
        )}
      </ConflictNote>
    </fieldset>
  )
}
