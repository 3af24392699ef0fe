/** What a tag of kubespray is: its commit, and the id that git gives to the files of it. */
export interface TagFiles {
  readonly commit: string;
  readonly tree: string;
}

/** Read from the repository of kubernetes-sigs on 25 November 2026. A tag can be moved; what it was when it was read cannot. */
const commits: ReadonlyMap<string, TagFiles> = new Map(
  files().map(([tag, commit, tree]) => [tag, { commit, tree }]),
);

/** The files of exactly that tag; undefined: it was not read. */
export const filesOfTag = (tag: string): TagFiles | undefined => commits.get(tag);

// oxfmt-ignore
function files(): readonly (readonly [tag: string, commit: string, tree: string])[] {
  return [
    ['v2.15.0', 'a923f4e7c0692229c442b07a531bfb5fc41a23f9', '90700aac501be4ef2c1d591cc3ee439cb7908a9b'],
    ['v2.15.1', '4661e7db011a59af1f69d5fdc1435459d86e386a', 'd792ece1ab5080075c8b18c9b0420dbde153964b'],
    ['v2.16.0', 'bcf695913f5332c0acf08b206cc055c9482664d9', 'd4af07201407969c7a55e99a3e3b612e6e40b74d'],
    ['v2.17.0', 'b83e8b020a0da6befa852139fde01774f5d56a6b', '8de253525647ff081687204cd910c83de34aa126'],
    ['v2.17.1', 'eeeca4a1d0334efebcf732d08bffc7e10240fc9c', 'e79440a68a162e561658cbe9bcba54d5b0ebb384'],
    ['v2.18.0', '92f25bf267ffd3393f6caffa588169d3a44a799c', '0eecf9d7978280673cd68fd6b25a834f3b7ebe52'],
    ['v2.18.1', 'e7508d7d215ebcfb1831d4aa0a19aae1f89de514', '92e073ca9b3254cc5bf540c0948f07b8db3d62d2'],
    ['v2.18.2', '56f9af866816f449368ee83d6a228f27537edc3d', '25470d06ae046fa2cca25012fb9488e4f5686dc6'],
    ['v2.19.0', '1f65e6d3b5752f9a64d3038e45d705f272acae58', '9d71228f1ad22c0ec39794d6b966742d1a44a38e'],
    ['v2.19.1', '453dbcef1d10dd62481a836d26130f48073078d2', 'e0f3ea0f6cc7f4d7f981a7ec3d3f62e1918177f7'],
    ['v2.20.0', '18efdc2c51c5881c8647c06d02f8b505c5712876', 'ee0c654ead74cf51e6155fdfc9bb008f2c937c00'],
    ['v2.21.0', 'c4346e590f12239fe9f597cebdb00b5c0ffdc7b3', '89f49f26f5fffd24a5ba19284e2a1b0fec57285d'],
    ['v2.22.0', '4014a1cccb4d3d91aca79a374b092447af872ad7', '40027dc43f5177084f3b96d3ec9c9d03817f9889'],
    ['v2.22.1', '2cf23e3104f9b8b20ca1aefd36e3e89be26fd090', '8e05c9fdf98ae3d996c851db29a3c0840c60f8a5'],
    ['v2.22.2', '12a65c45e994d62b41811e3ae165181a3ac4383b', '678a7b0359653b711b085c72f72895d66112a8cb'],
    ['v2.23.0', 'c33e4d7bb76cadb52707b2714bb199885563f2a9', '3ea1c5a706ea4785e17e8dcb02c430d7544a1ab4'],
    ['v2.23.1', '10679ebb5ded86187cdb6792c485e2fda25ff3e2', 'ea073b119270e5d9cb2d083b94d4d4bd1fb233d2'],
    ['v2.23.2', 'ca271b8a650b16d64d960c1b10c93e7faba7f8b2', '4cc1ad642920ecb7cebd76afffc452afcf8e3e24'],
    ['v2.23.3', '3f6567bba01fffa53f256a85c0fa52f57dc88840', 'fe8fa9a14b4c568587ef8f076d0fe5055771547f'],
    ['v2.24.0', '64447e745e53d3f486356d03ecb195729a302ea1', '4abd996038d45d1a3d28115c3a75a108a59dc5d1'],
    ['v2.24.1', '2cb8c8544fc5aeff7e1bc0865e65837dd6e8eaca', '9ef17908900a6942ccdabbc5fcdcf45e7d753015'],
    ['v2.24.2', '1601b0db5781809f81824719d10348eee800c8a4', '5fe823eeeac12428c0979a2a8cb0a1b07f754bd8'],
    ['v2.24.3', '0b64ab15b54b7e4c8fd36114a7162b923b636817', '652e90abf7a6e24a9e82b8f18fe3bdcfb396ef58'],
    ['v2.25.0', '7e0a40725067f7818bb0cd4acaf27a6620af6e3f', '3104c3788494d5151346d2717ee3063de9d8007d'],
    ['v2.25.1', 'f4dd4056daef907dc9fa47989fed92b98737a496', 'c6805ca2d1bad91e86e0ae53e8e3740688f94715'],
    ['v2.26.0', 'f9ebd45c749647c0e8fdd55ea58d0fb0b6612d08', '679881f75f43dc5eac0a739387eab30da96da099'],
    ['v2.26.1', '2555c340866ed0fe240f7ddb71fabb86b09f0b54', 'cb26512332c8d9f4b074810c5b611dbe36f87ea5'],
    ['v2.27.0', '9ec9b3a202ab15f7577cfd755df9b11881edde83', 'f5e2479c49eec1900ee26c16695f50979ca24b4d'],
    ['v2.27.1', '45140b558266014296ddc6075b0518662a4d4cbe', '80b1a72e851debab268ac20a4e3c44f7ecd42a35'],
    ['v2.28.0', '63cdf87915421dda5955281f38401fd1b55b230b', '0e93fdc406abbf860af4edf189e3566d0e0b9ea7'],
    ['v2.28.1', 'a20891ab67136f8c92ccad3fad9ad11fc71363d0', 'd59ac6ccd89a3e21fe2b7b0804a46f403c2174db'],
    ['v2.29.0', '9991412b4597d6eaf37f86e5f20f9f903a731c08', '95cf2dfb56ce685eb7305e639da981de4e3f84e2'],
    ['v2.29.1', '0c6a29553f90c55cba5e0e359470321dc7cf7d29', '0ae73411be8558fb8ffa210d47f6797b63c13679'],
    ['v2.30.0', 'f4ccdb5e72395eaf9f3444056ebd1a6625ddb89a', '86bb8cb5beaeab11919392126eb8c62fcfe8b86a'],
    ['v2.31.0', '1c9add48975060f45396b34d8e022c30d7f80dab', 'be1344305045541c383b0f9e72ffe903653930c0'],
  ];
}
