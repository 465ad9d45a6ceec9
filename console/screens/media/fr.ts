import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  added: 'Ajouté',
  address: 'Adresse publique',
  close: 'Fermer',
  copyAddress: 'Copier l’adresse',
  delete: 'Supprimer',
  deleteAllTheSame: 'Supprimer quand même',
  deleted: '{name} est supprimé',
  deleteTitle: 'Supprimer {name}',
  deleteWhy: 'Son adresse ne mènera plus nulle part. Cela ne peut être annulé.',
  empty: 'Vos images et documents seront ici',
  emptyWhy: 'Envoyez une image une fois, puis montrez-la dans tout message. Quiconque a son adresse peut la voir.',
  emptyWhyReader: 'Les images et documents des messages sont ici dès que quelqu’un en a envoyé.',
  forceWhy: {
    one: 'Il est encore montré à {count} endroit, où il manquera ; les caches des messageries peuvent le garder. Cela ne peut être annulé.',
    other:
      'Il est encore montré à {count} endroits, où il manquera ; les caches des messageries peuvent le garder. Cela ne peut être annulé.',
  },
  inUse: 'Il est montré ici, donc il reste :',
  kept: 'Les images sont gardées sans le lieu, l’heure et le nom que les appareils y écrivent.',
  media: 'Médias',
  svg: 'Les messageries ne montrent pas le SVG : prenez un PNG ou un JPEG dans les messages.',
  type: 'Type',
  used: 'Où il est utilisé',
} satisfies TranslatedStrings<typeof en>
