export { PACKAGE_ROOT, suiteVersion } from '../package.ts';
