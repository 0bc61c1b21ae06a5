/**
 * Characters that nobody sees: with and without them a text looks the same. Joiners, variation selectors and tags are left out where
 * they change what is seen: between letters of scripts that join them, in emoji, behind ideographs.
 */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}\p{Script=Myanmar}]/u
    .source
const emoji = String.raw`\p{Extended_Pictographic}[\u{fe0e}\u{fe0f}]?\p{Emoji_Modifier}?`
const unseen = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]`
const effects = [
  String.raw`${joining}[\u{200c}\u{200d}](?=${joining})`,
  String.raw`${emoji}(?:\u{200d}${emoji})*`,
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007f}]+`,
  String.raw`[\d#*]\u{fe0f}\u{20e3}`,
  String.raw`\p{Script=Han}[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]`,
  String.raw`\p{Script=Mongolian}[\u{180b}-\u{180d}\u{180f}]`,
].join('|')
const hidden = new RegExp(`${effects}|(${unseen})`, 'gu')

/** Where the first character of a text stands that nobody sees; `undefined`: there is none. */
export function hiddenCharacter(text: string): number | undefined {
  for (const match of text.matchAll(hidden)) if (match[1] !== undefined) return match.index
  return undefined
}
