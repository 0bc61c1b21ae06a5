import { describe, expect, test } from 'vitest'

import { isSame } from './same-value.ts'

describe('a value counts as the stored one', () => {
  test.each([
    ['EMAIL', 'Anna.B@Example.org', ' anna.b@example.org '],
    ['EMAIL', 'İnci@bücher.example', 'İnci@xn--BCHER-kva.example'],
    ['URL', 'https://example.org/A-1', 'HTTPS://EXAMPLE.ORG/a-1'],
    ['TEXT', 'Müller-Lüdenscheidt', 'müller-lüdenscheidt'],
    ['TEXT', 'Große Straße  12', 'GROSSE STRASSE 12'],
    ['TEXT', '***', '***'],
    ['TEXT', '0042', '0042'],
    ['TEXT', 'AB-123-CD', 'ab 123 cd'],
    ['TEXT', 'AB-123-CD', 'ab123cd'],
    ['TEXT', 'DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    ['TEXT', '4111 1111 1111 1111', '4111111111111111'],
    ['TEXT', '+33 6 12-34-56 78', '0033612345678'],
    ['TEXT', '+33 6 12-34-56 78', '06.12.34.56.78'],
    ['TEXT', '+33 6 12-34-56 78', '33612345678'],
    ['TEXT', '06 12 34 56 78', '+33612345678'],
    ['TEXT', '+44 (0)20 7946 0958', '020 7946 0958'],
    ['TEXT', '+1 (212) 555-1234', '212 555 1234'],
    ['TEXT', '+353 1 234 5678', '01 2345678'],
    ['TEXT', '030/1234567', '(030) 123 45 67'],
    ['TEXT', '+7 916 4974539', '8 916 4974539'],
    ['TEXT', '+7 916 4974539', '8(916)4974539'],
    ['TEXT', '8 (916) 8163452', '+79168163452'],
    ['TEXT', '8 (916) 8163452', '79168163452'],
    ['TEXT', '8 (916) 8163452', '916 816-34-52'],
    ['TEXT', '(202) 315-1952', '1-202-315-1952'],
    ['TEXT', '(202) 315-1952', '+1 202 3151952'],
    ['TEXT', '+49 (0)151 8040870', '491518040870'],
    ['TEXT', '+49 (0)151 8040870', '0151 8040870'],
    ['TEXT', '491518040870', '0151 8040870'],
    ['TEXT', '0049 (0)151 8040870', '+49 151 8040870'],
    ['TEXT', '+1 202 5530961 ext. 12', '2025530961x12'],
    ['TEXT', '030 1234567 Durchwahl 8', '+49 30 1234567 #8'],
    ['TEXT', '٠٩١٢ ٣٤٥٦٧٨٩', '+98 912 345 6789'],
    ['TEXT', 'А123ВС77', 'A 123 BC 77'],
    ['TEXT', 'ΙΚΖ-4520', 'ikz4520'],
    ['NUMBER', 1234.5, '01234.50'],
    ['DECIMAL', '-12.340', '-12.34'],
    ['DATE', '1980-02-29', '1980-02-29'],
  ])('%s %j, said %j', (type, stored, said) => {
    expect(isSame(type, stored, said)).toBe(true)
    if (typeof stored === 'string') expect(isSame(type, said.trim(), stored)).toBe(true)
  })
})

describe('a text with more than a phone number counts as', () => {
  test.each([
    ['0151 7099202 / 0152 70992021', '0151 7099202'],
    ['0151 7099202 / 0152 70992021', '+49 152 70992021'],
    ['0151/7099202; 030/1234567', '030 1234567'],
    ['+33 6 12 34 56 78 +33 1 23 45 67 89', '01 23 45 67 89'],
    ['7099202 oder 7099203', '709-9203'],
    ['+1 202 5530961 ext. 12', '+12025530961'],
    ['+1 202 5530961 ext. 12', '(202) 553-0961'],
  ])('%j, said %j', (stored, said) => {
    expect(isSame('TEXT', stored, said)).toBe(true)
    expect(isSame('TEXT', said, stored)).toBe(false)
  })
})

describe('a value counts as a different one', () => {
  test.each([
    ['EMAIL', 'anna.b@example.org', 'annab@example.org'],
    ['EMAIL', 'anna-b@example.org', 'anna_b@example.org'],
    ['EMAIL', 'mike@example.org', 'mıke@example.org'],
    ['EMAIL', 'strasse@example.org', 'straße@example.org'],
    ['EMAIL', 'anna@example.org', 'ａnna@example.org'],
    ['URL', 'https://example.org/a-b', 'https://example.org/ab'],
    ['TEXT', 'anna.b', 'annab'],
    ['TEXT', 'Müller', 'Muller'],
    ['TEXT', '0000', '0'],
    ['TEXT', '0042', '42'],
    ['TEXT', '-5', '5'],
    ['TEXT', '1.5', '15'],
    ['TEXT', '1 5', '15'],
    ['TEXT', '1234567.5', '12345675'],
    ['TEXT', '-12345678', '12345678'],
    ['TEXT', '0000000001', '1'],
    ['TEXT', '00123456789', '123456789'],
    ['TEXT', '00123456789', '23456789'],
    ['TEXT', 'B-AB 12', 'BA-B 12'],
    ['TEXT', 'AB-1', 'AB-10'],
    ['TEXT', '2020-1-12', '2020-11-2'],
    ['TEXT', '192.168.10.25', '192.16.810.25'],
    ['TEXT', '+33612345678', '12345678'],
    ['TEXT', '+33612345678', '3612345678'],
    ['TEXT', '+33612345678', '+49612345678'],
    ['TEXT', '+33612345678', '0049612345678'],
    ['TEXT', '+35312345678', '0312345678'],
    ['TEXT', '0612345678', '612345678'],
    ['TEXT', '0612345678', '0612'],
    ['TEXT', '+7 916 4974539', '8 916 4974538'],
    ['TEXT', '+49 916 4974539', '8 916 4974539'],
    ['TEXT', '1-102-315-1952', '102-315-1952'],
    ['TEXT', '491518040870', '1518040870'],
    ['TEXT', '+1 202 5530961 ext. 12', '+1 202 5530961 ext. 13'],
    ['TEXT', '+1 202 5530961 ext. 12', '+1 202 553096112'],
    ['TEXT', '0151 7099202 / 0152 70992021', '7099202'],
    ['TEXT', '0151 7099202 / 0152 70992021', '0151 7099202 / 0153 70992021'],
    ['TEXT', 'Анна', 'Aннa'],
    ['TEXT', 'Вера', 'Bepa'],
    ['TEXT', 'Б123ВС', 'B123BC'],
    ['NUMBER', 1234.5, '1,234.5'],
    ['DECIMAL', '-12.340', '12.34'],
    ['DATE', '1980-02-29', '19800229'],
  ])('%s %j, said %j', (type, stored, said) => {
    expect(isSame(type, stored, said)).toBe(false)
    if (typeof stored === 'string') expect(isSame(type, said, stored)).toBe(false)
  })
})
