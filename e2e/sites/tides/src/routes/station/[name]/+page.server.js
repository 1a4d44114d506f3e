export const load = ({ params }) => ({ name: params.name, height: params.name.length / 2 });
