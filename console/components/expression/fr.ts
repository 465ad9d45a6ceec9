import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  'as-path': 'Membre',
  'as-script': 'Script',
  'as-template': 'Modèle',
  computed: 'Calculé',
  fallback: 'Si vide, écrire',
  fallbackWhy: 'Facultatif. Par exemple : chère lectrice, cher lecteur.',
  field: 'Champ',
  given: 'Valeur fixe',
  insert: 'Insérer',
  insertField: 'Insérer un champ',
  noField: 'Aucun champ ne correspond',
  writtenAs: 'forme de la valeur',
} satisfies TranslatedStrings<typeof en>
