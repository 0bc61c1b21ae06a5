import { counted, number } from '../format.ts'

const parts = {
  user: 'User',
  entities: 'Entities',
  sensitive: 'Sensitive values',
  segments: 'Segments',
  events: 'Events',
  changesets: 'What changed',
}

/** Texts of subject access: everything held about one person, as a file and on paper. */
export const accessText = {
  title: 'Subject access',
  intro:
    'Everything that is held about this person: the user, their entities, segments, events and what changed, as a file and as a sheet to print. The invitation link is a secret and is never part of it.',
  include: 'Include sensitive values',
  includeHint: 'Without them each is listed as withheld.',
  reason: 'Reason',
  reasonHintRecorded: 'The event log keeps it with your name, and so does the document.',
  reasonHintUnrecorded:
    'This service keeps no record of who read sensitive values, or why: the reason stands in the document only.',
  reasonMissing: 'Say why the sensitive values are needed.',
  reasonTooLong: 'At most 500 characters.',
  collect: 'Collect',
  collecting: 'Collecting',
  stop: 'Stop',
  goOn: 'Go on',
  stopped: 'Stopped. What was collected is kept until you leave this page.',
  failed: (part: keyof typeof parts) => `${parts[part]} could not be read`,
  failedBody: 'What was collected is kept. It goes on with this step.',
  parts,
  progress: (part: keyof typeof parts, done: number | undefined, of: number | undefined) =>
    [
      parts[part],
      ...(done === undefined ? [] : [of === undefined ? number(done) : `${number(done)} of ${number(of)}`]),
    ].join(': '),
  searched: (done: number, of: number) => `Events: searched ${number(done)} of ${number(of)}`,
  download: 'Download JSON',
  print: 'Print…',
  anew: 'Collect anew',
  sheet: {
    label: 'The document',
    title: 'Subject access',
    about: 'About',
    userId: 'User id',
    made: 'Made',
    madeBy: 'Made by',
    service: 'Service',
    reason: 'Reason for the sensitive values',
    reasonRecorded: 'recorded in the event log',
    reasonUnrecorded: 'this service keeps no record of it',
    sensitive: 'Sensitive values',
    sensitiveStates: {
      included: 'Included',
      withheld: 'Withheld',
      none: 'There are none',
    },
    field: 'Field',
    key: 'Key',
    type: 'Type',
    value: 'Value',
    withheld: 'withheld',
    noProperties: 'No properties.',
    created: 'Created',
    noEntities: 'No entities.',
    inNone: 'In no segment.',
    unknownSegments: (count: number) =>
      `Of ${counted(count, { one: 'further segment', other: 'further segments' })} it is not known: they ask for sensitive values.`,
    segmentsUnknown: 'This service does not say which segments a user is in.',
    time: 'Time',
    what: 'What',
    details: 'Details',
    noEvents: 'No events.',
    changesetsUnknown: 'This service does not keep what changed.',
    historyWithheld: 'Earlier sensitive values of entities that do not exist any more are withheld.',
    omitted: 'Left out',
    omittedBecause: (part: keyof typeof parts) =>
      `${parts[part]}: the role of the person who made this may not read them.`,
    sections: {
      user: 'User',
      entities: 'Entities',
      segments: 'Segments',
      events: 'What happened',
    },
  },
  /** In the dialog that deletes the user. */
  copy: {
    action: 'Save a copy first',
    saved: (file: string) => `A copy is in your downloads: ${file}. Sensitive values are withheld in it.`,
    include: 'With sensitive values…',
  },
}
