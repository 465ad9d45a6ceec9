import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const shapeTexts = catalogue(en, () => import('./fr.ts'))
