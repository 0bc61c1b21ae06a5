import { beforeEach, expect, test, vi } from 'vitest'

import type { ImportView } from '#contract/import.ts'
import type { Job } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

// Files in the layouts of other products, with people who do not exist.

const service = testService({ jobs: true })
const properties = {
  phone: 'TEXT',
  mobile: 'TEXT',
  birthday: 'DATE',
  city: 'TEXT',
  postcode: 'TEXT',
  street: 'TEXT',
  country: 'TEXT',
  company: 'TEXT',
  title: 'TEXT',
  newsletter: 'PREFERENCE',
  fee: 'CURRENCY',
}
beforeEach(async () => {
  await service.reset()
  for (const [key, type] of Object.entries(properties))
    await service.call('admin', 'PUT', `/definitions/person/${key}`, {
      type,
      ...(key === 'fee' && { label: { de: 'Beitrag' } }),
    })
})

const windows = (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')

interface Expected {
  /** Fields of users by the names of their columns. */
  readonly fields: Readonly<Record<string, string>>
  /** Properties of persons by the names of their columns. */
  readonly keys: Readonly<Record<string, string>>
  /** Cells that have no meaning, and are left out. */
  readonly bad?: readonly string[]
}

test.each<[string, string | Buffer, Expected]>([
  [
    'Outlook',
    windows(
      [
        'Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Street,Business City,Business Postal Code,Business Country/Region,Business Phone,Home Phone,Mobile Phone,E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,Anniversary,Birthday,Gender,Notes,Priority,Private,Sensitivity,Web Page',
        '"","Jörg","","Müller","","Beispiel GmbH","","Einkäufer","Hauptstr. 1","Köln","50667","Germany","+49 221 1234","","","joerg@example.org","SMTP","Jörg Müller (joerg@example.org)","","0/0/00","3/15/1984","Unspecified","","Normal","False","Normal",""',
        '"","Ana","Maria","Lopez","","","","","","","","","","","0171 5551234","ana@example.org","SMTP","Ana Lopez (ana@example.org)","al@example.com","0/0/00","0/0/00","Unspecified","Two\r\nlines","Normal","False","Normal",""',
      ].join('\r\n'),
    ),
    {
      fields: {
        'First Name': 'first',
        'Middle Name': 'middle',
        'Last Name': 'last',
        'E-mail Address': 'email',
      },
      keys: {
        Company: 'company',
        'Business Street': 'street',
        'Business City': 'city',
        'Business Postal Code': 'postcode',
        'Business Country/Region': 'country',
        'Business Phone': 'phone',
        'Mobile Phone': 'mobile',
        Birthday: 'birthday',
        Title: 'title',
      },
    },
  ],
  [
    'Google Contacts',
    [
      'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - Country',
      'Ana,,Lopez,,,,,,,,Example Ltd,,,1984-02-29,,,* myContacts,* Home,ana@example.org,Mobile,+34 600 123 456,Home,"Calle 1\nMadrid\nES",Calle 1,Madrid,ES',
      'Bo,,,,,,,,,,,,,--03-15,,,* myContacts ::: Friends,,,Work,(555) 010-1234,,,,,',
    ].join('\n'),
    {
      fields: {
        'First Name': 'first',
        'Middle Name': 'middle',
        'Last Name': 'last',
        'E-mail 1 - Value': 'email',
      },
      keys: {
        'Name Prefix': 'title',
        'Organization Name': 'company',
        Birthday: 'birthday',
        'Phone 1 - Value': 'phone',
        'Address 1 - Street': 'street',
        'Address 1 - City': 'city',
        'Address 1 - Country': 'country',
      },
      bad: ['--03-15'],
    },
  ],
  [
    'HubSpot',
    [
      'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Last Activity Date,Lead Status,Create Date,Lifecycle Stage,Associated Company,Postal Code,Annual Revenue,Unsubscribed from all email',
      '901,Gaëlle,Perrin,g.perrin@example.org,04 50 11 22 33,Inès Moreau,2025-01-28 13:05,Open,2024-08-18 09:14,Customer,Fromagerie Perrin,74000,12500.50,false',
      '902,Claire,Durand,claire@example.org,,,,,2024-09-01 10:00,Lead,,06652,,true',
    ].join('\n'),
    {
      fields: { 'Record ID': 'ref', 'First Name': 'first', 'Last Name': 'last', Email: 'email' },
      keys: { 'Phone Number': 'phone', 'Associated Company': 'company', 'Postal Code': 'postcode' },
    },
  ],
  [
    'Salesforce',
    [
      '"Id","IsDeleted","AccountId","Salutation","FirstName","LastName","MailingStreet","MailingCity","MailingPostalCode","MailingCountry","Phone","MobilePhone","Email","Title","Birthdate","CreatedDate","HasOptedOutOfEmail"',
      '"003Hs00004cr0KzIAI","0","001Hs00002tqbWTIAY","Ms.","Rosa","Klein","Ring 1\nEntrance B","Bern","3011","Switzerland","+41 31 1234567","","rosa@example.org","Buyer","1984-02-29","2024-08-18T09:14:00.000+0000","0"',
      '"003Hs00004cr2yMIAQ","0","","","Tom","","","","","","","","","","","2024-08-18T09:15:00.000+0000","1"',
    ].join('\n'),
    {
      fields: { Id: 'ref', FirstName: 'first', LastName: 'last', Email: 'email' },
      keys: {
        Salutation: 'title',
        MailingStreet: 'street',
        MailingCity: 'city',
        MailingPostalCode: 'postcode',
        MailingCountry: 'country',
        Phone: 'phone',
        MobilePhone: 'mobile',
        Birthdate: 'birthday',
      },
    },
  ],
  [
    'Mailchimp',
    [
      '"Email Address","First Name","Last Name",Address,"Phone Number",Birthday,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS',
      'ana@example.org,Ana,Lopez,"1 Main St  Springfield  IL  62701",,03/15,4,"2024-03-14 09:12:31",,"2024-03-14 09:14:00",203.0.113.7,39.7817000,-89.6501000,-6,-5,America/Chicago,US,IL,"2024-03-14 09:14:00",404312345,1a2b3c4d5e,,"""vip"",""denver"""',
      'bo@example.org,Bo,,,,,2,,,,,,,,,,,,"2024-04-01 10:00:00",404312346,2b3c4d5e6f,,',
    ].join('\n'),
    {
      fields: { 'Email Address': 'email', 'First Name': 'first', 'Last Name': 'last', LEID: 'ref' },
      keys: { Address: 'street', 'Phone Number': 'phone', Birthday: 'birthday' },
      bad: ['03/15'],
    },
  ],
  [
    'a German club',
    windows(
      [
        'Mitgliederliste;;;;;;;;;;',
        'Stand: 01.03.2024;;;;;;;;;;',
        'Mitgliedsnr.;Anrede;Vorname;Nachname;Straße;PLZ;Ort;Geburtsdatum;Eintritt;Beitrag;E-Mail',
        '0017;Frau;Jördis;Müller;Musterweg 1;01067;Dresden;01.02.1980;01.03.2015;"1.234,50 €";joerdis@example.org',
        '0018;Herr;Kai;Jung;Musterweg 2;12345;Musterstadt;;;60,00 €;',
      ].join('\r\n'),
    ),
    {
      fields: { 'Mitgliedsnr.': 'ref', Vorname: 'first', Nachname: 'last', 'E-Mail': 'email' },
      keys: {
        Anrede: 'title',
        Straße: 'street',
        PLZ: 'postcode',
        Ort: 'city',
        Geburtsdatum: 'birthday',
        Beitrag: 'fee',
      },
    },
  ],
])('a file of %s is imported as it is proposed', async (_, file, { fields, keys, bad = [] }) => {
  const sent = await service.call('steward', 'POST', '/imports', Buffer.from(file), {
    'content-type': 'text/csv',
  })
  const job = idOf(sent)
  const { body }: { body: ImportView } = await service.call('steward', 'GET', `/imports/${job}`)
  const targets = body.columns.map(({ header, proposed }) => [header, proposed] as const)
  const found = targets.flatMap(([header, to]) => (to.to === 'field' ? [[header, to.field]] : []))
  expect(Object.fromEntries(found)).toEqual(fields)
  const known = targets.flatMap(([header, to]) => (to.to === 'property' ? [[header, to.key]] : []))
  expect(Object.fromEntries(known)).toEqual(keys)
  const columns = body.columns.map(({ proposed }) => proposed)
  const mapped = await service.call('steward', 'PUT', `/imports/${job}/mapping`, { columns, bad: 'cell' })
  const { readings = [] } = mapped.body as ImportView
  expect(readings.flatMap((each) => each?.badCells ?? []).map(({ cell }) => cell)).toEqual(bad)
  expect((await service.call('steward', 'POST', `/imports/${job}/check`, {})).status).toBe(204)
  const ended = await vi.waitFor(
    async () => {
      const now = (await service.call('steward', 'GET', `/jobs/${job}`)).body as Job
      expect(now.state).toBe('finished')
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
  expect(ended.outcomes).toEqual({ created: 2 })
})
