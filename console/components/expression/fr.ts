import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  'as-path': 'Membre',
  'as-script': 'Script',
  'as-template': 'Modèle',
  computed: 'Calculé',
  given: 'Valeur fixe',
  writtenAs: 'forme de la valeur',
} satisfies TranslatedStrings<typeof en>
