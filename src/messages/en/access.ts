import { counted, number } from '../format.ts'

const parts = {
  user: 'User',
  entities: 'Entities',
  sensitive: 'Sensitive values',
  segments: 'Segments',
  events: 'Events',
  changesets: 'Changes',
}

/** Texts of subject access: everything held about one user, as a file and on paper. */
export const accessText = {
  title: 'Subject access',
  intro:
    'A report of everything stored about this user: fields, entities, segments, events and changes, as a file and to print. The invitation link is secret and never included.',
  include: 'Include sensitive values',
  includeHint: 'Otherwise they are listed as withheld.',
  reason: 'Reason',
  reasonHintRecorded: 'Stored with your name in the event log and in the report.',
  reasonHintUnrecorded: 'Stored in the report only: this service doesn’t record who viewed sensitive values.',
  reasonMissing: 'Enter a reason.',
  reasonTooLong: 'At most 500 characters.',
  collect: 'Prepare report',
  collecting: 'Preparing the report',
  stop: 'Stop',
  goOn: 'Continue',
  stopped: 'Stopped. What is loaded so far is kept until you leave this page.',
  failed: (part: keyof typeof parts) => `Couldn’t load: ${parts[part]}`,
  failedBody: 'Everything loaded so far is kept. Try again to continue.',
  parts,
  progress: (part: keyof typeof parts, done: number | undefined, of: number | undefined) =>
    [
      parts[part],
      ...(done === undefined ? [] : [of === undefined ? number(done) : `${number(done)} of ${number(of)}`]),
    ].join(': '),
  searched: ({ done, of }: { readonly done: number; readonly of: number }) =>
    `Events: searched ${number(done)} of ${number(of)}`,
  download: 'Download JSON',
  print: 'Print…',
  restart: 'Start over',
  form: 'Show',
  forms: { sheet: 'Full report', letter: 'Letter' },
  letter: {
    label: 'The letter',
    title: (name: string) => `What we hold about ${name}`,
    made: 'As of',
    choose: 'Sections',
    full: 'Include ids, staff names and reasons',
    withheld: 'Not shown here',
    noEntities: 'None.',
    sections: {
      user: 'Who you are',
      entities: 'What we know about you',
      segments: 'Groups you are in',
      events: 'What happened',
    },
  },
  sheet: {
    label: 'The report',
    title: (name: string) => `Subject access: ${name}`,
    about: 'About this report',
    userId: 'User id',
    made: 'Prepared',
    madeBy: 'Prepared by',
    service: 'Service',
    reason: 'Reason for the sensitive values',
    reasonRecorded: 'recorded in the event log',
    reasonUnrecorded: 'not recorded by this service',
    sensitive: 'Sensitive values',
    sensitiveStates: {
      included: 'Included',
      withheld: 'Withheld',
      none: 'None',
    },
    field: 'Field',
    key: 'Property',
    type: 'Type',
    value: 'Value',
    withheld: 'withheld',
    noProperties: 'No properties.',
    created: 'Created',
    noEntities: 'No entities.',
    inNone: 'In no segments.',
    unknownSegments: (count: number) =>
      `${counted(count, { one: 'more segment depends', other: 'more segments depend' })} on sensitive data, so membership can’t be shown.`,
    segmentsUnknown: 'This service can’t list a user’s segments.',
    noEvents: 'No events.',
    changesetsUnknown: 'This service doesn’t record what changed.',
    historyWithheld: 'Sensitive values of deleted entities are withheld.',
    omitted: 'Left out',
    omittedBecause: (part: keyof typeof parts) =>
      `${parts[part]}: not allowed for the role that prepared this report.`,
    sections: {
      user: 'User',
      entities: (count: number) => `Entities (${number(count)})`,
      segments: 'Segments',
      events: 'What happened',
    },
  },
  /** In the dialog that deletes the user. */
  copy: {
    action: 'Save a copy first',
    saved: (file: string) => `Saved to your downloads: ${file}. Sensitive values are withheld.`,
    include: 'Include sensitive values…',
  },
}
