import { describe, expect, test } from 'vitest'

import { isSameProperty, proposeFields } from './headers.ts'

const propose = (...headers: string[]) => proposeFields(headers.map((header) => ({ header, samples: ['x'] })))

describe('fields are proposed for the columns of', () => {
  test.each<[string, string[], (string | undefined)[]]>([
    ['HubSpot', ['Record ID', 'First Name', 'Last Name', 'Email'], ['ref', 'first', 'last', 'email']],
    ['Salesforce', ['Id', 'FirstName', 'LastName', 'Email'], ['ref', 'first', 'last', 'email']],
    [
      'Salesforce, a report',
      ['Salutation', 'First Name', 'Last Name', 'Account Name', 'Email', 'Contact ID'],
      [undefined, 'first', 'last', undefined, 'email', 'ref'],
    ],
    [
      'Google Contacts',
      ['First Name', 'Middle Name', 'Last Name', 'E-mail 1 - Label', 'E-mail 1 - Value'],
      ['first', 'middle', 'last', undefined, 'email'],
    ],
    [
      'Google Contacts, before',
      ['Name', 'Given Name', 'Additional Name', 'Family Name', 'E-mail 1 - Value'],
      ['name', undefined, undefined, undefined, 'email'],
    ],
    ['Outlook', ['First Name', 'Last Name', 'E-mail Address'], ['first', 'last', 'email']],
    ['Mailchimp', ['Email Address', 'First Name', 'Last Name', 'LEID'], ['email', 'first', 'last', 'ref']],
    ['Shopify', ['Customer ID', 'First Name', 'Last Name', 'Email'], ['ref', 'first', 'last', 'email']],
    [
      'Pipedrive',
      ['Person - ID', 'Person - Name', 'Person - Email - Work', 'Person - Email - Home'],
      ['ref', 'name', 'email', undefined],
    ],
    ['Zoho', ['Record Id', 'First Name', 'Last Name', 'Email'], ['ref', 'first', 'last', 'email']],
    ['Stripe', ['id', 'Description', 'Email', 'Name'], ['ref', undefined, 'email', 'name']],
    [
      'Attio',
      ['Record ID', 'Record', 'Name > First name', 'Name > Last name', 'Email addresses'],
      ['ref', 'name', undefined, undefined, 'email'],
    ],
    [
      'German spreadsheets',
      ['Kundennummer', 'Nachname', 'Vorname', 'E-Mail-Adresse', 'Kunde seit'],
      ['ref', 'last', 'first', 'email', 'since'],
    ],
    ['German ones with a short last name', ['Name', 'Vorname', 'E-Mail'], ['last', 'first', 'email']],
    [
      'French spreadsheets',
      ['N° client', 'Prénom', 'Nom', 'Adresse e-mail'],
      ['ref', 'first', 'last', 'email'],
    ],
    [
      'Spanish spreadsheets',
      ['Nombre', 'Apellidos', 'Correo electrónico', 'Código de cliente'],
      ['first', 'last', 'email', 'ref'],
    ],
    [
      'WooCommerce',
      ['ID', 'Username', 'First Name', 'Last Name', 'Email', 'Billing Email'],
      ['ref', undefined, 'first', 'last', 'email', undefined],
    ],
    ['a list of accounts', ['Username', 'Email'], ['name', 'email']],
    ['Spanish ones with a short number', ['Nº cliente', 'Nombre', 'Apellidos'], ['ref', 'first', 'last']],
    ['wide letters', ['Ｅ－ｍａｉｌ', 'お名前'], ['email', 'name']],
    [
      'Dutch spreadsheets',
      ['Voornaam', 'Achternaam', 'E-mailadres', 'Klantnr.'],
      ['first', 'last', 'email', 'ref'],
    ],
    [
      'Polish spreadsheets',
      ['Imię', 'Nazwisko', 'Adres e-mail', 'Nr klienta'],
      ['first', 'last', 'email', 'ref'],
    ],
    ['Portuguese spreadsheets', ['Nome', 'Sobrenome', 'Correio eletrônico'], ['first', 'last', 'email']],
    [
      'Swedish spreadsheets',
      ['Förnamn', 'Efternamn', 'E-post', 'Kundnummer'],
      ['first', 'last', 'email', 'ref'],
    ],
    ['Turkish spreadsheets', ['Adı', 'SOYADI', 'E-posta', 'Müşteri No'], ['first', 'last', 'email', 'ref']],
    [
      'Russian spreadsheets',
      ['Фамилия', 'Имя', 'Отчество', 'Электронная почта', 'Номер клиента'],
      ['last', 'first', 'middle', 'email', 'ref'],
    ],
    ['Russian ones with the whole name', ['ФИО', 'E-mail'], ['name', 'email']],
    ['Japanese spreadsheets', ['氏名', 'メールアドレス', '顧客番号'], ['name', 'email', 'ref']],
    ['Japanese ones with two names', ['姓', '名', 'メール'], ['last', 'first', 'email']],
    ['Italian spreadsheets', ['Nome', 'Cognome', 'Indirizzo e-mail'], ['first', 'last', 'email']],
    [
      'directories',
      ['Display Name', 'Given Name', 'Surname', 'Primary Email'],
      ['name', undefined, undefined, 'email'],
    ],
  ])('%s', (_, headers, fields) => {
    expect(propose(...headers)).toEqual(fields)
  })

  test.each(['Name', 'Nom', 'Nombre', 'Nome', 'Full name', 'Vor- und Nachname'])(
    'a whole name: %s',
    (header) => {
      expect(propose(header, 'E-mail')).toEqual(['name', 'email'])
    },
  )
})

test('an id of ours is told from that of another product by its values', () => {
  const ours = { header: 'id', samples: ['01890a5d-ac96-774b-bcce-b302099a8057'] }
  expect(proposeFields([ours])).toEqual(['id'])
  expect(proposeFields([{ header: 'ID', samples: ['cus_Nff'] }])).toEqual(['ref'])
  expect(
    proposeFields([
      { header: 'ID', samples: ['17'] },
      { header: 'Kundennr.', samples: [] },
    ]),
  ).toEqual([undefined, 'ref'])
})

test('a first choice of several columns is taken, wherever it is', () => {
  expect(propose('Work Email', 'Billing e-mail', 'Email')).toEqual([undefined, undefined, 'email'])
  expect(propose('Contact ID', 'Customer number')).toEqual([undefined, 'ref'])
})

test.each([
  ['Geburtsdatum', 'birthday', true],
  ['Date de naissance', 'birth_date', true],
  ['PLZ', 'postcode', true],
  ['Mobil', 'phone', false],
  ['First registration', 'first_registration', true],
  ['Schuhgröße', 'shoe_size', false],
])('%s is %s: %s', (header, key, isSame) => {
  expect(isSameProperty(header, key)).toBe(isSame)
})

describe('values decide', () => {
  test('a column of numbers is no name, whatever its header is', () => {
    expect(
      proposeFields([
        { header: 'Lead Name', samples: ['John Doe', 'Jane Smith'] },
        { header: 'Email', samples: ['john@example.org'] },
        { header: '☎ Contact', samples: ['555-6001', '+49 (0)30 1'] },
      ]),
    ).toEqual(['name', 'email', undefined])
    expect(proposeFields([{ header: 'Contact', samples: ['555-6001'] }])).toEqual([undefined])
  })

  test('a column of e-mail addresses is the e-mail where no header says so', () => {
    const address = { header: 'البريد', samples: ['a@example.ae', 'b@example.ae'] }
    const other = { header: 'Rep', samples: ['rep@example.org'] }
    expect(proposeFields([{ header: 'الاسم', samples: ['محمد أحمد'] }, address, other])).toEqual([
      undefined,
      'email',
      undefined,
    ])
    expect(proposeFields([other, { header: 'Email', samples: ['c@example.org'] }])).toEqual([
      undefined,
      'email',
    ])
    expect(proposeFields([{ header: 'Contact', samples: ['Ana, a@example.org'] }])).toEqual(['name'])
  })
})
