import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  all: 'Tout',
  byWord: 'Mots entiers',
  caseMatters: 'Respecter la casse',
  close: 'fermer',
  faultAt: 'Ligne {line} : {message}',
  faults: 'Erreurs',
  find: 'Rechercher',
  keys: 'Tab quitte l’éditeur. Contrôle M permet d’indenter avec Tab ; Échap puis Tab quittent alors l’éditeur.',
  lineKeys: 'Une ligne. Tab quitte le champ.',
  next: 'suivant',
  notJson: 'Ce JSON n’est pas valide. La dernière version valide est conservée.',
  previous: 'précédent',
  regexp: 'Expression régulière',
  replace: 'Remplacer',
  replaceAll: 'tout remplacer',
  replaceOne: 'remplacer',
} satisfies TranslatedStrings<typeof en>
