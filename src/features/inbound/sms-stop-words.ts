/** Words that stop messages, by language (events.md 8); without accents. */
const words = [
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  ...['ARRET', 'ARRETER', 'DESABONNER', 'DESINSCRIRE'],
  ...['BAJA', 'ALTO', 'CANCELAR', 'PARAR'],
  ...['STOPP', 'ABMELDEN', 'ABBESTELLEN', 'ENDE'],
  ...['CANCELLA', 'CANCELLAMI', 'BASTA', 'DISISCRIVIMI'],
  ...['STOPPEN', 'AFMELDEN', 'EINDE', 'UITSCHRIJVEN'],
]
const known = new Set(words)

/**
 * The STOP word of a reply; null when it is none. It is the first run of letters, whole: `stop36111` stops, `Stopper`
 * and `please stop` do not.
 */
export function stopWord(text: string): string | null {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  const [word = ''] = /\p{L}+/u.exec(plain) ?? []
  return known.has(word) ? word : null
}
