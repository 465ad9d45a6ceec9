import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  added: 'Ajouté',
  address: 'Adresse publique',
  close: 'Fermer',
  copyAddress: 'Copier l’adresse',
  delete: 'Supprimer',
  deleteAllTheSame: 'Supprimer quand même',
  deleted: '{name} a été supprimé',
  deleteTitle: 'Supprimer {name}',
  deleteWhy: 'Les liens vers lui cessent de fonctionner. C’est irréversible.',
  empty: 'Aucune image ni aucun document pour l’instant',
  emptyWhy:
    'Ajoutez une image une fois, puis utilisez-la dans tous vos messages. Toute personne qui a son adresse peut la voir.',
  emptyWhyReader: 'Les images et documents des messages apparaissent ici dès que quelqu’un en ajoute.',
  forceWhy: {
    one: 'Il est encore utilisé à {count} endroit, où il manquera. Les messageries peuvent en garder des copies. C’est irréversible.',
    other:
      'Il est encore utilisé à {count} endroits, où il manquera. Les messageries peuvent en garder des copies. C’est irréversible.',
  },
  inUse: 'Il ne peut pas être supprimé, car il est utilisé ici :',
  kept: 'Les images sont stockées sans le lieu, l’heure et le nom que les appareils y inscrivent.',
  media: 'Médias',
  svg: 'Les messageries n’affichent pas le SVG. Utilisez un PNG ou un JPEG dans les messages.',
  type: 'Type',
  used: 'Où il est utilisé',
} satisfies TranslatedStrings<typeof en>
