import { fold } from '../common.ts'
import type { ImportField } from '../import.ts'

/** Parts of a name, in the order in which they are joined. */
export const nameParts = ['first', 'middle', 'last'] as const satisfies ImportField[]
export const isNamePart = (field: ImportField) => nameParts.some((part) => part === field)

/** Column of a file, by which it is guessed what the column is. */
export interface FileColumn {
  readonly header: string
  /** First values that are not empty. */
  readonly samples: readonly string[]
}

/** Removes differences that people overlook: case, accents, width, spaces and punctuation. */
export function plainHeader(header: string): string {
  return fold(header.normalize('NFKC'))
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

type Meaning = ImportField | 'name or first' | 'name or last'

/**
 * Headers in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Turkish, Russian and Japanese, and those of exports of HubSpot, Salesforce, Google Contacts,
 * Outlook, Mailchimp, Shopify, Pipedrive, Zoho, Stripe and Attio. Of several columns with one meaning, one in an earlier
 * line comes first.
 */
const words: Readonly<Record<Meaning, readonly string[]>> = {
  id: ['id'],
  name: [
    'fullname displayname customer customername contactname personname customerfullname kundenname vollername vollstandigername vorundnachname nameundvorname namevorname nomcomplet nometprenom prenometnom nombrecompleto nombreyapellidos nomecompleto nomeecognome nominativo',
    'volledigenaam imięinazwisko nomecompleto fullständigtnamn namn navn adsoyad adısoyadı фио полноеимя имяифамилия 氏名 名前 お名前 顧客名 姓名',
    'contact leadname kunde client cliente ansprechpartner interlocuteur record recipientname',
    'username userlogin login',
  ],
  // Alone the whole name; beside a first name the last one.
  'name or last': ['name nom naam'],
  // Alone the whole name; beside a last name the first one.
  'name or first': ['nombre nome имя ad isim'],
  first: [
    'firstname givenname givennames forename first fname namefirstname personfirstname contactfirstname customerfirstname vorname rufname prenom prenoms nombredepila primernombre nombres',
    'voornaam imię primeironome förnamn fornavn adı 名',
  ],
  middle: [
    'middlename middlenames additionalname secondname zweitervorname deuxiemeprenom segundonombre secondonome',
    'tussenvoegsel drugieimię mellannamn отчество',
  ],
  last: [
    'lastname surname familyname last lname namelastname personlastname contactlastname customerlastname nachname familienname zuname nomdefamille apellido apellidos primerapellido cognome',
    'achternaam nazwisko sobrenome apelido últimonome efternamn etternavn soyad soyadı soyisim фамилия 姓',
  ],
  email: [
    'email mail emailaddress mailaddress emails emailaddresses primaryemail primaryemailaddress email1value email1 email1address emailadresse mailadresse adresseemail adressemail courriel adressecourriel adresseelectronique correo correoelectronico direcciondecorreo direcciondecorreoelectronico direccionemail postaelettronica indirizzoemail indirizzomail indirizzodipostaelettronica epost',
    'emailadres mailadres adresemail adrespocztyelektronicznej correioeletrônico endereçodeemail epostadress eposta epostaadresi электроннаяпочта почта емейл имейл адресэлектроннойпочты メール メールアドレス eメール 电子邮件 邮箱 이메일',
    'contactemail customeremail useremail personemail subscriberemail workemail emailwork personemailwork emailgeschaftlich emailprofessionnel emailpersonnel homeemail emailhome emailprivat personalemail billingemail',
  ],
  ref: [
    'ref reference customerref customerreference customernumber customerno customerid externalid number clientnumber clientno membernumber memberid membershipnumber kundennummer kundennr kdnr kundenid kundenreferenz mitgliedsnummer mitgliedsnr debitorennummer numeroclient numerodeclient nclient noclient codeclient idclient referenceclient numerocliente numerodecliente ncliente nocliente codigocliente codigodecliente idcliente referencia codicecliente riferimento',
    'klantnummer klantnr relatienummer numerklienta nrklienta númerodocliente códigodocliente kundnummer kundnr kundenummer medlemsnummer müşterino müşterinumarası номерклиента кодклиента 顧客番号 お客様番号 会員番号 客户编号',
    'accountnumber contactid personid recordid userid clientid leadid subscriberid leid euid',
  ],
  since: [
    'since customersince membersince usersince seit kundeseit mitgliedseit depuis clientdepuis membredepuis desde clientedesde sociodesde dal clientedal sociodal',
    'klantsinds klientod kundsedan клиентс',
  ],
}

const meanings = new Map(
  (Object.keys(words) as Meaning[]).flatMap((meaning) =>
    words[meaning].flatMap((line, rank) =>
      line.split(' ').map((word) => [plainHeader(word), { meaning, rank }] as const),
    ),
  ),
)

/** Line of `words` with the names of accounts. */
const signInRank = words.name.findIndex((line) => line.split(' ').includes('username'))

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether a header is one of a field, by which the row with the headers is found. */
export const isFieldHeader = (header: string) => meanings.has(plainHeader(header))

const named: ReadonlySet<Meaning> = new Set([
  'name',
  'name or last',
  'name or first',
  'first',
  'middle',
  'last',
])
const hasNoLetters = (samples: readonly string[]) =>
  samples.length > 0 && samples.every((sample) => !/\p{L}/u.test(sample))
const areAddresses = (samples: readonly string[]) =>
  samples.length > 0 && samples.every((sample) => /^\S+@[^\s@]+\.[^\s@]+$/.test(sample.trim()))

/** Proposes a field of the user for each column, by its header and its first values, and each field for one column at most. */
export function proposeFields(columns: readonly FileColumn[]): readonly (ImportField | undefined)[] {
  const found = columns.map(({ header, samples }) => {
    const meant = meanings.get(plainHeader(header))
    // The id of another product is no id of ours.
    const isForeign = meant?.meaning === 'id' && !samples.every((sample) => uuid.test(sample.trim()))
    if (isForeign) return { meaning: 'ref' as const, rank: 2 }
    return meant && named.has(meant.meaning) && hasNoLetters(samples) ? undefined : meant
  })
  if (!found.some((each) => each?.meaning === 'email')) {
    const at = columns.findIndex(({ samples }, index) => !found[index] && areAddresses(samples))
    if (at !== -1) found[at] = { meaning: 'email', rank: 0 }
  }
  const has = (meaning: Meaning) => found.some((each) => each?.meaning === meaning)
  const resolve = (meaning: Meaning): ImportField => {
    if (meaning === 'name or last')
      return (has('first') || has('name or first')) && !has('last') ? 'last' : 'name'
    if (meaning === 'name or first')
      return (has('last') || has('name or last')) && !has('first') ? 'first' : 'name'
    return meaning
  }
  // A name to sign in with stands for one of a person only where there is no other.
  const isSignIn = (each: (typeof found)[number]) => each?.meaning === 'name' && each.rank === signInRank
  const hasParts = nameParts.some((part) => has(part))
  const proposed = found.map((each) =>
    each && !(hasParts && isSignIn(each)) ? { field: resolve(each.meaning), rank: each.rank } : undefined,
  )
  // The parts are of no use beside the whole name.
  const hasName = proposed.some((each) => each?.field === 'name')
  return proposed.map((each, index) => {
    if (!each || (hasName && isNamePart(each.field))) return undefined
    const isBeaten = proposed.some(
      (other, place) =>
        other?.field === each.field &&
        (other.rank < each.rank || (other.rank === each.rank && place < index)),
    )
    return isBeaten ? undefined : each.field
  })
}

/** Headers of properties that many files have, each line one meaning. */
const properties = [
  'phone phonenumber primaryphone phone1value businessphone workphone homephone telephone telephonenumber tel telefon telefonnummer rufnummer numerodetelephone telefono numerodetelefono numeroditelefono telefoon telefoonnummer numertelefonu nrtelefonu telefone telefonnumarası телефон номертелефона 電話 電話番号 电话',
  'mobile mobilephone mobilephonenumber cellphone mobil mobiltelefon handy handynummer mobilnummer portable telephoneportable movil telefonomovil cellulare mobiel mobielnummer gsm komórka telefonkomórkowy telemóvel celular mobilnummer ceptelefonu мобильный мобильныйтелефон 携帯 携帯電話 携帯番号 手机',
  'birthday birthdate dateofbirth dob geburtsdatum geburtstag geboren geborenam datedenaissance neele anniversaire fechadenacimiento cumpleanos datadinascita natoil geboortedatum dataurodzenia datadenascimento födelsedatum fødselsdato doğumtarihi датарождения 生年月日 誕生日',
  'city town mailingcity businesscity homecity address1city ort stadt wohnort ville localite ciudad localidad citta comune plaats woonplaats miasto miejscowość cidade şehir postort город 市区町村 城市',
  'postcode postalcode zip zipcode mailingzippostalcode mailingpostalcode businesspostalcode homepostalcode address1postalcode plz postleitzahl codepostal cp codigopostal cap kodpocztowy postnummer postakodu индекс почтовыйиндекс 郵便番号 邮编',
  'street streetaddress address address1 mailingstreet businessstreet homestreet address1street strasse anschrift adresse rue calle direccion via indirizzo straat adres ulica endereço morada gata adress улица адрес 住所 地址',
  'country countryregion mailingcountry businesscountryregion homecountryregion address1country land pays pais paese kraj ülke страна 国 国家',
  'company companyname organization organisation organizationname accountname associatedcompany firma unternehmen entreprise societe empresa azienda societa bedrijf bedrijfsnaam nazwafirmy företag şirket компания организация 会社 会社名 公司',
  'newsletter newslettersubscription nieuwsbrief nyhetsbrev рассылка メルマガ emailmarketing marketing marketingconsent acceptsemailmarketing optin',
  'iban bankkonto kontonummer',
  'gender sex geschlecht sexe sexo sesso geslacht płeć gênero kön cinsiyet пол 性別',
  'title salutation nameprefix anrede civilite tratamiento titolo',
].map((line) => line.split(' ').map(plainHeader))

/** Whether a header and a key or label are words for one thing, such as "Geburtsdatum" and "birthday". */
export function isSameProperty(header: string, key: string): boolean {
  const [a, b] = [plainHeader(header), plainHeader(key)]
  return a === b || properties.some((line) => line.includes(a) && line.includes(b))
}
